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
  public init(_ descriptors: [Int32]) throws(Errno) {
    precondition(!descriptors.isEmpty, "an empty group is never ready")
    file = FileDescriptor(owning: try Errno.check { cposix_poll_group_open() })
    count = descriptors.count
    for descriptor in descriptors {
      _ = try Errno.check {
        cposix_poll_group_add(file.number, descriptor, Poll.Interest.reading.rawValue)
      }
    }
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
