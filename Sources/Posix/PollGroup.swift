import CBinnaclePosix

/// Descriptors that a poll set watches as one.
///
/// The kernel asks every descriptor of a poll set for its state twice in each wait. It does not ask the descriptors of
/// a group: they report to the group when they become ready. The descriptors stay open for as long as the group.
///
/// The corresponding C function is `epoll_create`.
public final class PollGroup: Sendable {
  private let file: FileDescriptor
  private let count: Int

  /// - Parameter descriptors: the descriptors that are watched for reading, at least one.
  /// - Throws: the error of the system.
  public convenience init(_ descriptors: [Int32]) throws(Errno) {
    precondition(!descriptors.isEmpty, "an empty group is never ready")
    var poll = Poll()
    for descriptor in descriptors { poll.set(descriptor, .reading) }
    try self.init(poll)
  }

  /// The descriptors of a poll set, each with its interest.
  ///
  /// - Throws: the error of the system; that of a regular file is `notPermitted`.
  init(_ poll: Poll) throws(Errno) {
    file = FileDescriptor(owning: try Errno.check { cposix_poll_group_open() })
    count = poll.entries.count
    for entry in poll.entries {
      _ = try Errno.check { cposix_poll_group_add(file.number, entry.descriptor, entry.events) }
    }
  }

  /// Waits for at most a time in nanoseconds; returns false at an event, and when a signal has ended the wait.
  ///
  /// The corresponding C function is `epoll_pwait2`.
  func isTimedOut(afterNanoseconds timeout: Int64) -> Bool {
    cposix_poll_group_wait(file.number, timeout) == 0
  }

  /// The descriptor to poll for reading; it is ready while a descriptor of the group is.
  public var descriptor: Int32 { file.number }

  /// The descriptors that are ready now: readable, hung up or failed.
  public var ready: [Int32] {
    [Int32](unsafeUninitializedCapacity: count) { numbers, readyCount in
      // The descriptors are in the group, so asking for them cannot fail.
      readyCount = max(0, Int(cposix_poll_group_ready(file.number, numbers.baseAddress, count)))
    }
  }
}
