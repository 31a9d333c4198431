import BinnacleBasics
import BinnaclePosix

/// What the loop waits for in one turn.
///
/// It is made anew each turn: descriptors are few, and their numbers are used again by the kernel, so that what
/// was true of a number a turn ago says nothing.
struct PollSet {
  private var poll = Poll()
  private var receiver: Int32?

  /// Every descriptor of a suspended board is looked at when it wakes, since the wall clock's tells of that: the kernel takes the
  /// time that is missing from its steady clock for a clock that was set (`timerfd_clock_was_set`).
  private static let waitPieceMax = Interval.seconds(900)

  mutating func removeAll() {
    poll.removeAll()
    receiver = nil
  }

  mutating func watch(_ descriptor: Int32) {
    poll.set(descriptor, .reading)
  }

  /// Watches the receiver; one that is quiet is watched only while bytes wait to go out.
  ///
  /// A descriptor in the set tells of a hang-up whatever it is watched for, and a hang-up that is not looked at would
  /// wake the loop again at once: so a quiet line stays out of the set.
  mutating func watch(_ line: ReceiverLine, isQuiet: Bool) {
    var interest: Poll.Interest = isQuiet ? [] : .reading
    if line.wantsToWrite { interest.insert(.writing) }
    guard let descriptor = line.descriptor, !interest.isEmpty else { return }
    poll.set(descriptor, interest)
    receiver = descriptor
  }

  /// Watches the lines; of one that has nothing to say only the hang-up is told.
  mutating func watch(_ lines: LineTable) {
    for line in lines.descriptors { poll.set(line.number, line.isReadable ? .reading : []) }
  }

  /// Watches a descriptor for the named directions, and for its hang-up in any case.
  mutating func watch(_ descriptor: Int32, isReading: Bool, isWriting: Bool) {
    var interest: Poll.Interest = isReading ? .reading : []
    if isWriting { interest.insert(.writing) }
    poll.set(descriptor, interest)
  }

  /// Waits; answers how many descriptors are ready.
  mutating func wait(until deadline: Instant?) -> Int {
    do throws(Errno) {
      return try poll.wait(until: deadline, pieceMax: PollSet.waitPieceMax)
    } catch {
      preconditionFailure("the poll set holds only open descriptors: \(error)")
    }
  }

  /// What is true of the receiver; nil when there is nothing.
  var receiverReadiness: Poll.Readiness? {
    guard let receiver else { return nil }
    let readiness = poll.readiness(of: receiver)
    return readiness.isEmpty ? nil : readiness
  }

  func isReady(_ descriptor: Int32) -> Bool {
    !poll.readiness(of: descriptor).isEmpty
  }

  func readiness(of descriptor: Int32) -> Poll.Readiness {
    poll.readiness(of: descriptor)
  }
}
