import BinnacleBasics
import UBX

/// Gives a receiver its start data: the time first, then the last position, then the receiver's own records.
///
///     sent --MGA-ACK, accepted or finally refused--> the next message
///     sent --refused because the receiver is not ready--> pausing --> sent again
///     sent --no answer--> sent again, twice --> the next message; 3 in a row without an answer end it
///     sent, without acknowledgements --the bytes have left the board--> pausing 10 ms --> the next message
///
/// The time is first, because a receiver without the time refuses the other messages (UBX-18010854, UBX-MGA-ACK,
/// infoCode 1). One message is on its way at a time: "the simplest way to implement flow control" (ZED-F9P integration
/// manual, 3.9.4.3). Without acknowledgements "adding small delays" is enough; ubxlib uses 10 ms.
struct AssistanceDelivery: Equatable, Codable, Sendable {
  let help: AssistanceHelp
  let isAcknowledged: Bool
  private(set) var count = Count()
  private var item = Item.time
  private var step: Step
  private var unansweredInARow = 0
  private let speed: Int

  struct Count: Equatable, Codable, Sendable {
    var given = 0
    /// Records that the receiver has acknowledged.
    var taken = 0
    var refused = 0
    var unanswered = 0
  }

  private enum Item: Equatable, Codable, Sendable {
    case time
    case place
    case record(Int)
  }

  private enum Step: Equatable, Codable, Sendable {
    case awaitingAnswer(until: Instant, tries: Int)
    case awaitingDrain(until: Instant)
    case pausing(until: Instant, tries: Int)
  }

  enum Action: Equatable, Sendable {
    case none
    case write([UInt8])
    case done
  }

  private static let triesMax = 3
  private static let unansweredInARowMax = 3
  private static let answerPatience = Interval.seconds(1)
  private static let spacing = Interval.milliseconds(10)
  private static let readiness = Interval.milliseconds(300)
  /// The longest time between the reading of the clock and the receiver's reading of the message.
  private static let handlingMax = Interval.milliseconds(250)
  /// The time of the longest message and its acknowledgement, behind an epoch.
  private static let bytesOnTheLine = 600

  /// - Parameters:
  ///   - help: the data.
  ///   - isAcknowledged: whether the receiver acknowledges assistance.
  ///   - speed: the speed of the line, in baud.
  ///   - now: the time.
  init(_ help: AssistanceHelp, isAcknowledged: Bool, speed: Int, at now: Instant) {
    self.help = help
    self.isAcknowledged = isAcknowledged
    self.speed = max(300, speed)
    step = .pausing(until: now, tries: 0)
  }

  /// Writes the first message.
  mutating func begin(at now: Instant) -> Action { send(tries: 1, at: now) }

  // MARK: Inputs

  mutating func answered(_ answer: MgaACK, at now: Instant) -> Action {
    guard case .awaitingAnswer(_, let tries) = step, answer.acknowledgedID == frame(at: now)[3],
      answer.payloadStart == start(at: now)
    else { return .none }
    unansweredInARow = 0
    if answer.isAccepted {
      if case .record = item { count.taken += 1 }
      return goOn(at: now)
    }
    if [.notReady, .timeUnknown].contains(answer.reason), tries < AssistanceDelivery.triesMax {
      step = .pausing(until: now + AssistanceDelivery.readiness, tries: tries)
      return .none
    }
    count.refused += 1
    // Without the time the receiver can use none of the other messages.
    return item == .time ? .done : goOn(at: now)
  }

  /// All written bytes have left the board.
  mutating func drained(at now: Instant) -> Action {
    guard case .awaitingDrain = step else { return .none }
    step = .pausing(until: now + AssistanceDelivery.spacing, tries: 0)
    return .none
  }

  mutating func deadlineReached(at now: Instant) -> Action {
    guard nextDeadline <= now else { return .none }
    switch step {
    case .pausing(_, 0): return goOn(at: now)
    case .pausing(_, let tries): return send(tries: tries + 1, at: now)
    case .awaitingDrain: return goOn(at: now)
    case .awaitingAnswer(_, let tries):
      if tries < AssistanceDelivery.triesMax { return send(tries: tries + 1, at: now) }
      count.unanswered += 1
      unansweredInARow += 1
      let isOver = unansweredInARow >= AssistanceDelivery.unansweredInARowMax
      return isOver || item == .time ? .done : goOn(at: now)
    }
  }

  var nextDeadline: Instant {
    switch step {
    case .awaitingAnswer(let until, _), .awaitingDrain(let until), .pausing(let until, _): until
    }
  }

  // MARK: Messages

  private mutating func goOn(at now: Instant) -> Action {
    switch item {
    case .time: item = help.uncertaintyMeters == nil ? .record(0) : .place
    case .place: item = .record(0)
    case .record(let index): item = .record(index + 1)
    }
    if case .record(let index) = item, index >= help.database.records.count { return .done }
    return send(tries: 1, at: now)
  }

  private mutating func send(tries: Int, at now: Instant) -> Action {
    let frame = frame(at: now)
    if case .record = item, tries == 1 { count.given += 1 }
    let onTheLine = duration(ofBytes: AssistanceDelivery.bytesOnTheLine)
    step =
      isAcknowledged
      ? .awaitingAnswer(
        until: now + AssistanceDelivery.answerPatience + onTheLine, tries: tries)
      : .awaitingDrain(until: now + AssistanceDelivery.answerPatience + onTheLine)
    return .write(frame)
  }

  private func frame(at now: Instant) -> [UInt8] {
    switch item {
    case .time:
      let transfer = duration(ofBytes: 32)
      // The time is that of the reception of the message (UBX-18010854, MGA-INI-TIME_UTC, ref 0).
      return MgaINITimeUTC(
        help.clock.time(at: now) + transfer,
        accuracy: help.clock.uncertainty(at: now) + AssistanceDelivery.handlingMax
      ).frame
    case .place:
      var message = MgaINIPositionLLH()
      message.latitudeE7 = help.place.latitudeE7
      message.longitudeE7 = help.place.longitudeE7
      message.altitudeCentimeters = help.place.heightCentimeters
      let centimeters = (help.uncertaintyMeters ?? LastPlace.uncertaintyMaxMeters) * 100
      message.accuracyCentimeters = UInt32(clamping: Int64(centimeters))
      return message.frame
    case .record(let index):
      return UBXFrame.encode(
        messageClass: MgaDBD.messageClass, id: MgaDBD.messageID,
        payload: help.database.records[index])
    }
  }

  /// The first four bytes of the payload; an acknowledgement repeats them to identify the message.
  private func start(at now: Instant) -> UInt32 {
    frame(at: now)[6..<10].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func duration(ofBytes count: Int) -> Interval {
    Interval(nanoseconds: Int64(count) * 10_000_000_000 / Int64(speed))
  }
}

/// The data for a receiver at its start.
struct AssistanceHelp: Equatable, Codable, Sendable {
  let database: NavigationDatabase
  let place: LastPlace
  let clock: TrustedClock
  /// The greatest distance of the board from `place`; nil: unknown, so the place is not sent.
  let uncertaintyMeters: Double?
  /// The time since the receiver sent the records.
  let age: Interval
}
