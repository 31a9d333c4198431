import BinnacleBasics
import UBX

/// Polls a receiver's navigation database and collects the answer.
///
///     asked --records--> collecting --MGA-ACK with their number, or a pause--> done
///     asked --nothing--> done, empty
///
/// "The receiver will indicate the finish of the transmission with a UBX-MGA-ACK" (UBX-18010854, 5.12.3.1). Without
/// acknowledgements some receivers send none, and a pause ends the answer.
struct DatabasePoll: Equatable, Codable, Sendable {
  private(set) var database: NavigationDatabase
  private var until: Instant
  let limit: Instant

  /// The longest pause in the answer, including a line that is busy with other messages.
  private static let pauseMax = Interval.seconds(3)
  /// 17 kB at 9600 baud take 18 s; ubxlib waits 30 s.
  private static let durationMax = Interval.seconds(30)
  /// The time limit when the daemon stops.
  static let stopMax = Interval.seconds(3)

  static let question = Poll(MgaDBD.self).frame

  /// The poll has just been written.
  init(_ receiver: ReceiverKey, time: UTCTime, isLast: Bool, at now: Instant) {
    database = NavigationDatabase(receiver: receiver, time: time)
    until = now + DatabasePoll.pauseMax
    limit = now + (isLast ? DatabasePoll.stopMax : DatabasePoll.durationMax)
  }

  mutating func recordArrived(_ record: MgaDBD, at now: Instant) {
    database.append(record.payload)
    until = now + DatabasePoll.pauseMax
  }

  /// Whether an acknowledgement is the end of the answer.
  func isEnd(_ answer: MgaACK) -> Bool {
    guard answer.acknowledgedID == MgaDBD.messageID else { return false }
    return Int(answer.payloadStart) >= database.records.count + database.leftOut
      || !answer.isAccepted
  }

  var nextDeadline: Instant { min(until, limit) }
}
