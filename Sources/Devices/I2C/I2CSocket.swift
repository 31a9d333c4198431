import BinnacleBasics
import BinnaclePosix
import I2C
import VirtualWire

/// The bus of a virtual board: one transfer is one message and one answer (`Docs/SPEC-virtual.md`).
struct I2CSocket: I2CBackend {
  /// The time-out of the virtual board; it is longer than the time-out of a stuck kernel bus.
  static let answerTimeMax = Interval.seconds(2)

  private let path: String
  private let socket: LocalSocket
  private var ticket: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)

  init(connectingTo path: String) throws(I2CFault) {
    self.path = "sim:" + path
    do throws(SystemError) {
      socket = try LocalSocket(connectingTo: path)
    } catch {
      let kind: I2CFailure = error.errno == .accessDenied ? .notPermitted : .missing
      throw I2CFault(kind, "sim:\(error); 'binnacle-sim board' serves one")
    }
    switch VirtualGreeting(decoding: try exchange(VirtualHello(.i2c).encoded())) {
    case .welcome: break
    case .refused(let refusal): throw I2CFault(.missing, "\(self.path): \(refusal.text)")
    case nil: throw I2CFault(.refused, "\(self.path): this is no virtual board")
    }
  }

  mutating func carryOut(_ transfer: I2CTransfer) throws(I2CFault) -> [[UInt8]] {
    let readCounts = transfer.readCounts
    ticket &+= 1
    let order = BusOrder(ticket: ticket, transfer: transfer).encoded()
    guard order.count <= VirtualLimits.messageSizeMax,
      readCounts.reduce(0, +) <= BusAnswer.bytesMax
    else { throw I2CFault(.refused, "\(path): a virtual bus carries less than 4 kB at once") }
    switch BusAnswer(decoding: try exchange(order)) {
    case .bytes(ticket, let bytes) where bytes.count == readCounts.reduce(0, +):
      var rest = bytes[...]
      return readCounts.map { count in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
    case .failed(ticket, let code):
      let errno = Errno(code: Int32(code))
      let address = I2CDevice.hex(transfer.address)
      throw I2CFault(I2CDevice.kind(of: errno), "\(path), address \(address): \(errno)")
    case .bytes, .failed, nil:
      throw I2CFault(.gone, "\(path): the virtual board answers something else")
    }
  }

  private mutating func exchange(_ message: [UInt8]) throws(I2CFault) -> [UInt8] {
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
      // A later answer would belong to an earlier request, so the connection is unusable.
      throw I2CFault(.gone, "\(path): the virtual board went away: \(error)")
    }
  }
}
