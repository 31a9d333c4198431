public import BinnacleBasics
import CBinnaclePosix

/// Waits for a poll set that is mostly the same from turn to turn.
///
/// In every wait `ppoll` asks each descriptor twice for its state. This type registers the descriptors of the set at the
/// kernel, and further waits for the same set ask no descriptor. Another set is polled as usual.
///
/// The kernel forgets a descriptor that is closed, and its number may then belong to another file. Therefore a
/// registration ends when this process closes a registered `FileDescriptor`, and after a minute.
///
/// The corresponding C functions are `epoll_create1`, `epoll_ctl` and `epoll_pwait2`.
public struct SteadyPoll: Sendable {
  private var registration: Registration?
  /// A registration that is older is made again.
  private let ageMax: Interval
  /// Waits in a row for a set that is not registered.
  private var missCount = 0

  /// Longer waits are rare and poll as usual, so that a registration does not become old.
  static let waitMax = Interval.seconds(1)
  static let missesMax = 4

  public init() { self.init(ageMax: .seconds(60)) }

  init(ageMax: Interval) { self.ageMax = ageMax }

  /// Waits as `Poll.wait` does; the set has the readiness of its descriptors afterwards.
  ///
  /// - Parameters:
  ///   - poll: the set, filled after the last wait.
  ///   - deadline: when to stop waiting; nil waits for ever.
  ///   - pieceMax: the longest single wait.
  /// - Returns: how many descriptors are ready; 0 when the deadline came first.
  /// - Throws: the error of the system when polling fails.
  public mutating func wait(
    for poll: inout Poll, until deadline: Instant?, pieceMax: Interval = .seconds(60)
  ) throws(Errno) -> Int {
    let now = Clock.now
    if let deadline, let group = registration(for: poll, at: now)?.group {
      let timeout = Poll.timeout(until: deadline, now: now)
      if timeout > 0, timeout <= SteadyPoll.waitMax.nanoseconds,
        group.isTimedOut(afterNanoseconds: timeout), Clock.now >= deadline
      {
        return 0
      }
    }
    // The poll tells which descriptors are ready, or waits for the rest of the time.
    return try poll.wait(until: deadline, pieceMax: pieceMax)
  }

  /// The registration of a set; nil if the set is not registered yet.
  private mutating func registration(for poll: Poll, at now: Instant) -> Registration? {
    if let registration, registration.fits(poll) {
      missCount = 0
      if now - registration.madeAt < ageMax { return registration }
    } else {
      missCount += 1
      guard missCount >= SteadyPoll.missesMax else { return nil }
      missCount = 0
    }
    registration = Registration(poll, at: now)
    return registration
  }

  /// The descriptors of one set at the kernel.
  private final class Registration: Sendable {
    let group: PollGroup
    let madeAt: Instant
    private let entries: [cposix_poll_entry]
    private let closedCount = FileDescriptor.closedCount

    /// Nil if a descriptor cannot be registered, as that of a regular file.
    init?(_ poll: Poll, at now: Instant) {
      guard let group = try? PollGroup(poll) else { return nil }
      self.group = group
      madeAt = now
      // Not the memory of the set, which is filled again in place.
      entries = poll.entries.map { $0 }
    }

    /// Whether this is still the registration of a set.
    func fits(_ poll: Poll) -> Bool {
      closedCount == FileDescriptor.closedCount
        && entries.elementsEqual(poll.entries) {
          $0.descriptor == $1.descriptor && $0.events == $1.events
        }
    }
  }
}
