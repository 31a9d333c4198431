import BinnacleBasics
import LocationEngine

/// Which commands the receiver was given and has not answered.
struct OrderLedger: Sendable {
  private struct Order: Sendable {
    var address: [UInt8]
    var writtenAt: Instant
    /// Data came under its name; the acknowledgement behind it may have been lost.
    var isAnswered = false
    /// The same payload was written before, and no answer was understood.
    var isRepetition = false
  }

  /// An answer may take more than a second (`ublox.md` section 3.1), so nothing is repeated before this.
  private static let patienceMin = Interval.milliseconds(300)
  /// When an order that nobody speaks of any more counts as forgotten.
  private static let patienceMax = Interval.seconds(20)
  private var outstanding: [Order] = []
  /// For how long after a repetition answers are ambiguous.
  ///
  /// Two answers may come, and answers carry no number: the second looks like one to the next command of that
  /// name, which no driver can tell apart (seed 163). It verifies by reading back instead.
  private static let ambiguity = Interval.seconds(5)
  private var repeated: [Order] = []
  private var recent: [(order: Order, payload: [UInt8])] = []
  private var writtenAt = Instant.zero
  private var host = CommandReader()
  /// The last bytes that were read, in which an answer may have begun.
  private var heard: [UInt8] = []

  mutating func told(_ event: Event, at now: Instant) {
    switch event {
    case .receiver(.bytesArrived(let bytes)):
      hear(bytes)
    case .receiver(.lost), .receiver(.opened), .receiver(.openFailed), .receiver(.speedChanged):
      forget()
    case .receiver(.drained), .receiver(.speedRefused), .client, .line, .accelerometer, .storage,
      .track, .appsRead, .wallClockRead, .started, .stopRequested, .deadlineReached:
      break
    }
  }

  /// Looks for answers wherever they stand: a reader of frames would wait behind a damaged one, longer or
  /// shorter than the engine does.
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

  /// Class, id, length and what follows.
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
      // CFG-VALGET only asks: nothing else is acknowledged under its name. What is read back needs no
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
    // Beside the request for the version CFG-VALGET asks the same more briefly, and whichever is answered will do.
    let asksWhoItIs = commands.contains {
      if case .message(0x0A, 0x04, _) = $0 { true } else { false }
    }
    for command in commands {
      // Only configuration is acknowledged; CFG-RST is not.
      guard case .message(0x06, let id, let payload) = command, id != 0x04,
        !(asksWhoItIs && id == 0x8B)
      else { continue }
      let address: [UInt8] = [0x06, id]
      // What it repeats may have been answered in bytes that it has not understood yet. That answer counts for it when
      // the damaged frame before is given up.
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

  /// The line or the daemon is gone, and what was in flight may still be answered.
  mutating func forget() {
    repeated += outstanding
    outstanding.removeAll()
  }

  /// The violation of an order that has no answer; nil when there is none.
  ///
  /// Such an order is written again, or its loss is logged. The loss of an order that was repeated may be silent: where orders that
  /// stayed unanswered are given once more a while later, they were logged the first time.
  func overdue(at now: Instant) -> String? {
    guard let first = outstanding.first(where: { !$0.isAnswered && !$0.isRepetition }),
      now - max(first.writtenAt, writtenAt) > Self.patienceMax
    else { return nil }
    return "the order \(first.address) was neither answered, repeated nor given up"
  }
}
