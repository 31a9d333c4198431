import BinnacleBasics
import LocationEngine

/// The commands that the receiver got and has not answered.
struct OrderLedger: Sendable {
  private struct Order: Sendable {
    var address: [UInt8]
    var writtenAt: Instant
    /// Data with the command's id arrived; the acknowledgement behind the data may have been lost.
    var isAnswered = false
    /// The engine wrote the same payload before, and understood no answer.
    var isRepetition = false
  }

  /// An answer may take more than a second (Docs/SOURCES.md, U3), so nothing is repeated before this time.
  private static let patienceMin = Interval.milliseconds(300)
  /// The time after which an unanswered, unrepeated command counts as forgotten.
  private static let patienceMax = Interval.seconds(20)
  private var outstanding: [Order] = []
  /// The time after a repetition during which answers are ambiguous.
  ///
  /// Two answers may come, and answers carry no number. The second answer looks like an answer to the next command with
  /// the same id, and no driver can distinguish them (seed 163). The driver verifies by reading the settings back.
  private static let ambiguity = Interval.seconds(5)
  private var repeated: [Order] = []
  private var recent: [(order: Order, payload: [UInt8])] = []
  private var writtenAt = Instant.zero
  private var host = CommandReader()
  /// The last bytes that the engine read, in which an answer may have begun.
  private var heard: [UInt8] = []

  mutating func delivered(_ event: Event, at now: Instant) {
    switch event {
    case .receiver(.bytesArrived(let bytes)):
      hear(bytes)
    case .receiver(.lost), .receiver(.opened), .receiver(.openFailed), .receiver(.speedChanged):
      forget()
    case .receiver(.drained), .receiver(.speedRefused), .client, .line, .accelerometer, .storage,
      .track, .launcher, .appsRead, .consentSettingsRead, .wallClockRead, .started, .stopRequested,
      .deadlineReached:
      break
    }
  }

  /// Searches for answers at every offset.
  ///
  /// A reader of frames would wait behind a damaged frame, for a longer or shorter time than the engine does.
  private mutating func hear(_ bytes: [UInt8]) {
    heard += bytes
    var index = 0
    while index + 10 <= heard.count {
      if heard[index] == 0xB5, heard[index + 1] == 0x62 {
        answered(Array(heard[index + 2..<index + 10]))
      }
      index += 1
    }
    heard.removeFirst(index)
  }

  /// Takes class, id, length and the four following bytes of a frame.
  private mutating func answered(_ frame: [UInt8]) {
    switch (frame[0], frame[1]) {
    case (0x05, 0x00), (0x05, 0x01):
      guard ReceiverFrame.checksum(frame[..<6]) == (frame[6], frame[7]) else { return }
      let address = [frame[4], frame[5]]
      outstanding.removeAll { $0.address == address }
      // A firmware that lacks a key refuses CFG-VALGET of the key, too: that refusal also answers a lost CFG-VALSET.
      let isRefusal = frame[1] == 0x00
      if isRefusal, address == [0x06, 0x8B] {
        for index in outstanding.indices { outstanding[index].isAnswered = true }
      }
    case (0x06, 0x8B):
      // CFG-VALGET only reads: no other command has acknowledgements with its id. Settings that are read back need no
      // acknowledgement any more.
      outstanding.removeAll { $0.address == [0x06, 0x8B] }
      for index in outstanding.indices { outstanding[index].isAnswered = true }
    case (0x06, let id):
      for index in outstanding.indices where outstanding[index].address == [0x06, id] {
        outstanding[index].isAnswered = true
      }
    default: break
    }
  }

  mutating func wrote(_ bytes: [UInt8], at now: Instant) -> String? {
    writtenAt = now
    var found: String?
    let commands = host.take(bytes, at: now)
    // Beside the version request, CFG-VALGET is a shorter probe; an answer to either is enough.
    let asksWhoItIs = commands.contains {
      if case .message(0x0A, 0x04, _) = $0 { true } else { false }
    }
    for command in commands {
      // The receiver acknowledges only configuration messages, and does not acknowledge CFG-RST.
      guard case .message(0x06, let id, let payload) = command, id != 0x04,
        !(asksWhoItIs && id == 0x8B)
      else { continue }
      let address: [UInt8] = [0x06, id]
      // The answer to the repeated command may lie in bytes that the engine has not decoded yet. That answer counts for
      // the repetition when the reader abandons the damaged frame before the answer.
      var isAnswered = false
      var isRepetition = false
      if let last = recent.last(where: { $0.payload == payload && $0.order.address == address }),
        now - last.order.writtenAt >= Self.patienceMin
      {
        repeated.append(Order(address: address, writtenAt: now))
        isAnswered = !outstanding.contains { $0.address == address }
        isRepetition = true
      }
      recent.removeAll { now - $0.order.writtenAt > Self.ambiguity }
      recent.append((Order(address: address, writtenAt: now), payload))
      if let last = outstanding.first(where: { $0.address == address }) {
        let isRepetition = now - last.writtenAt >= Self.patienceMin
        if isRepetition { repeated.append(Order(address: address, writtenAt: now)) }
        repeated.removeAll { now - $0.writtenAt > Self.ambiguity }
        if !isRepetition, !repeated.contains(where: { $0.address == address }) {
          found = "two commands 06 \(String(id, radix: 16)) in flight"
        }
      }
      outstanding.removeAll { $0.address == address }
      outstanding.append(
        Order(
          address: address, writtenAt: now, isAnswered: isAnswered, isRepetition: isRepetition))
    }
    return found
  }

  /// Notes that the line or the daemon is gone; commands in flight may still be answered.
  mutating func forget() {
    repeated += outstanding
    outstanding.removeAll()
  }

  /// The violation of a command that has no answer; nil when there is none.
  ///
  /// The engine writes such a command again or logs its loss. The loss of a repeated command may be silent: where the
  /// engine repeats unanswered commands a while later, the engine has logged them the first time.
  func overdue(at now: Instant) -> String? {
    guard let first = outstanding.first(where: { !$0.isAnswered && !$0.isRepetition }),
      now - max(first.writtenAt, writtenAt) > Self.patienceMax
    else { return nil }
    return "the order \(first.address) was neither answered, repeated nor given up"
  }
}
