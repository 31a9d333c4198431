import Basics
import I2C
import Posix

/// The bus of a virtual board: one transfer is one message and one answer (`Docs/SPEC-virtual.md`).
struct I2CSocket: I2CBackend {
  /// The first message, which says what is wanted; the board answers with the same.
  static let greeting = Array("i2c 1".utf8)
  /// How long the board may take: a second more than a bus of the kernel is stuck for.
  static let answerTimeMax = Interval.seconds(2)

  private let path: String
  private let socket: LocalSocket
  private var number: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: I2CMessage.sizeMax)

  init(connectingTo path: String) throws(I2CError) {
    self.path = "sim:" + path
    do throws(SystemError) {
      socket = try LocalSocket(connectingTo: path)
    } catch {
      let kind: I2CError.Kind = error.errno == .accessDenied ? .notPermitted : .missing
      throw I2CError(kind, "sim:\(error); 'binnacle-sim board' serves one")
    }
    let answer = try exchange(I2CSocket.greeting)
    guard answer == I2CSocket.greeting else {
      throw I2CError(.refused, "\(self.path): the virtual board has no I2C bus of this version")
    }
  }

  mutating func carryOut(_ transfer: I2CTransfer) throws(I2CError) -> [[UInt8]] {
    let readCounts = transfer.readCounts
    number &+= 1
    let request = I2CMessage.Request(number: number, transfer: transfer).encoded()
    guard request.count <= I2CMessage.sizeMax, readCounts.reduce(8, +) <= I2CMessage.sizeMax else {
      throw I2CError(.refused, "\(path): a virtual bus carries 64 kB at once")
    }
    let bytes = try exchange(request)
    guard let answer = I2CMessage.Answer(decoding: bytes, readCounts: readCounts),
      answer.number == number
    else { throw I2CError(.gone, "\(path): the virtual board answers something else") }
    switch answer.result {
    case .answers(let answers): return answers
    case .failure(let code):
      let errno = Errno(code: Int32(code))
      let address = I2CDevice.hex(transfer.address)
      throw I2CError(I2CDevice.kind(of: errno), "\(path), address \(address): \(errno)")
    }
  }

  private mutating func exchange(_ message: [UInt8]) throws(I2CError) -> [UInt8] {
    let deadline = Clock.now + I2CSocket.answerTimeMax
    var poll = Poll()
    poll.set(socket.descriptor, .reading)
    do throws(Errno) {
      guard try socket.send(message) else { throw .wouldBlock }
      while true {
        switch try socket.receive(into: &buffer) {
        case .packet(let count): return Array(buffer[..<count])
        case .tooLong, .ended: throw .connectionReset
        case .nothing:
          guard try poll.wait(until: deadline) > 0 else { throw .timedOut }
        }
      }
    } catch {
      // Whatever comes after this would answer a question of the past: the connection is of no use any more.
      throw I2CError(.gone, "\(path): the virtual board went away: \(error)")
    }
  }
}
