import BinnacleBasics
import BinnaclePosix

/// The descriptors that the loop polls in one turn.
///
/// The set is built again each turn: there are few descriptors, and the kernel reuses their numbers, so readiness from
/// an earlier turn may belong to another file.
struct PollSet {
  private var poll = Poll()
  private var steady = SteadyPoll()
  private var receiver: Int32?
  private var group: PollGroup?
  /// The descriptors of the group that the last wait found ready.
  private var readyInGroup: [Int32] = []

  /// The longest wait, so that every descriptor is checked after the board was suspended.
  ///
  /// The wall clock's descriptor reports the suspend: the kernel treats the time that is missing from its monotonic
  /// clock as a clock change (`timerfd_clock_was_set`).
  private static let waitPieceMax = Interval.seconds(900)

  mutating func removeAll() {
    poll.removeAll()
    receiver = nil
    group = nil
    readyInGroup.removeAll(keepingCapacity: true)
  }

  mutating func watch(_ descriptor: Int32) {
    poll.set(descriptor, .reading)
  }

  /// Watches descriptors that stay open for as long as the daemon runs, at the cost of one.
  mutating func watch(_ group: PollGroup) {
    poll.set(group.descriptor, .reading)
    self.group = group
  }

  /// Watches the receiver; in its quiet time only while bytes wait to be written.
  ///
  /// Each descriptor in the set reports a hang-up, whatever it is watched for. A hang-up that is not handled would
  /// wake the loop again at once. Therefore a quiet receiver is not in the set.
  mutating func watch(_ line: ReceiverLine, isQuiet: Bool) {
    var interest: Poll.Interest = isQuiet ? [] : .reading
    if line.wantsToWrite { interest.insert(.writing) }
    guard let descriptor = line.descriptor, !interest.isEmpty else { return }
    poll.set(descriptor, interest)
    receiver = descriptor
  }

  /// Watches the lines; a line without events to read is watched for its hang-up only.
  mutating func watch(_ lines: LineTable) {
    for line in lines.descriptors { poll.set(line.number, line.isReadable ? .reading : []) }
  }

  /// Watches a descriptor for the given directions, and always for its hang-up.
  mutating func watch(_ descriptor: Int32, isReading: Bool, isWriting: Bool) {
    var interest: Poll.Interest = isReading ? .reading : []
    if isWriting { interest.insert(.writing) }
    poll.set(descriptor, interest)
  }

  /// Waits; returns the number of ready descriptors.
  mutating func wait(until deadline: Instant?) -> Int {
    do throws(Errno) {
      let count = try steady.wait(
        for: &poll, until: deadline, pieceMax: PollSet.waitPieceMax)
      if count > 0, let group, !poll.readiness(of: group.descriptor).isEmpty {
        readyInGroup = group.ready
      }
      return count
    } catch {
      preconditionFailure("the poll set holds only open descriptors: \(error)")
    }
  }

  /// The receiver's readiness; nil when it is not ready.
  var receiverReadiness: Poll.Readiness? {
    guard let receiver else { return nil }
    let readiness = poll.readiness(of: receiver)
    return readiness.isEmpty ? nil : readiness
  }

  func isReady(_ descriptor: Int32) -> Bool {
    !poll.readiness(of: descriptor).isEmpty || readyInGroup.contains(descriptor)
  }

  func readiness(of descriptor: Int32) -> Poll.Readiness {
    poll.readiness(of: descriptor)
  }
}
