public import BinnacleBasics
import CBinnaclePosix
import Glibc

/// The descriptors that a loop waits for, and the one deadline up to which it waits.
///
/// The set is kept from turn to turn; waiting allocates nothing. A descriptor is in it once.
///
/// The corresponding C function is `ppoll`.
public struct Poll: Sendable {
  private(set) var entries: [cposix_poll_entry] = []

  /// The events that a descriptor is polled for.
  public struct Interest: OptionSet, Sendable {
    public let rawValue: Int16

    public init(rawValue: Int16) {
      self.rawValue = rawValue
    }

    public static let reading = Interest(rawValue: Int16(POLLIN))
    public static let writing = Interest(rawValue: Int16(POLLOUT))
    /// The file of a control group has changed since it was read.
    public static let changing = Interest(rawValue: Int16(POLLPRI))
  }

  /// The state of a descriptor; hang-up and failure are reported for every interest.
  public struct Readiness: OptionSet, Sendable {
    public let rawValue: Int16

    public init(rawValue: Int16) {
      self.rawValue = rawValue
    }

    public static let readable = Readiness(rawValue: Int16(POLLIN))
    public static let writable = Readiness(rawValue: Int16(POLLOUT))
    public static let changed = Readiness(rawValue: Int16(POLLPRI))
    public static let failed = Readiness(rawValue: Int16(POLLERR))
    /// The far end is closed; there may still be bytes to read.
    public static let hungUp = Readiness(rawValue: Int16(POLLHUP))
    /// The descriptor is not open: a mistake of the caller.
    public static let invalid = Readiness(rawValue: Int16(POLLNVAL))
  }

  /// One descriptor that is ready.
  public struct Ready: Equatable, Sendable {
    public let descriptor: Int32
    public let readiness: Readiness
  }

  public init() {}

  /// Adds a descriptor to the set or changes its interest; a descriptor without interest still reports
  /// a hang-up.
  public mutating func set(_ descriptor: Int32, _ interest: Interest) {
    if let index = entries.firstIndex(where: { $0.descriptor == descriptor }) {
      entries[index].events = interest.rawValue
    } else {
      entries.append(
        cposix_poll_entry(descriptor: descriptor, events: interest.rawValue, happened: 0))
    }
  }

  /// Removes a descriptor from the set; call this before the descriptor is closed.
  public mutating func remove(_ descriptor: Int32) {
    entries.removeAll { $0.descriptor == descriptor }
  }

  /// Empties the set and keeps its memory.
  public mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
  }

  /// Waits until a descriptor is ready or the deadline has come.
  ///
  /// A signal does not end the wait. With a deadline in the past, the call returns at once.
  ///
  /// The kernel counts the time out on a clock that stands still while the board is suspended, so long waits are cut into
  /// pieces: after a suspend the clock is looked at again within one of them.
  ///
  /// - Parameters:
  ///   - deadline: when to stop waiting; nil waits for ever.
  ///   - pieceMax: the longest single wait; each piece costs a wake-up.
  /// - Returns: how many descriptors are ready; 0 when the deadline came first.
  /// - Throws: the error of the system when polling fails.
  @discardableResult
  public mutating func wait(
    until deadline: Instant?, pieceMax: Interval = .seconds(60)
  ) throws(Errno) -> Int {
    while true {
      let timeout = Poll.timeout(until: deadline, now: Clock.now, pieceMax: pieceMax)
      let count = entries.withUnsafeMutableBufferPointer {
        cposix_poll($0.baseAddress, $0.count, timeout)
      }
      if count > 0 { return Int(count) }
      if count < 0 {
        let failure = Errno.current
        if failure != .interrupted { throw failure }
      } else if let deadline, Clock.now >= deadline {
        return 0
      }
    }
  }

  /// The result of the last wait for a descriptor.
  public func readiness(of descriptor: Int32) -> Readiness {
    guard let entry = entries.first(where: { $0.descriptor == descriptor }) else { return [] }
    return Readiness(rawValue: entry.happened)
  }

  /// Everything that the last wait found ready, in the order in which it was set.
  public var ready: [Ready] {
    entries.filter { $0.happened != 0 }.map {
      Ready(descriptor: $0.descriptor, readiness: Readiness(rawValue: $0.happened))
    }
  }

  /// Sets the longest delay of this thread's wake-ups after a deadline.
  ///
  /// The kernel delays the end of a wait for descriptors by a thousandth of the wait if that is longer
  /// (`select_estimate_accuracy`).
  ///
  /// The corresponding C function is `prctl` with `PR_SET_TIMERSLACK`.
  public static func setTimerSlack(_ slack: Interval) {
    precondition(slack.nanoseconds > 0, "no slack would mean the default of 50 microseconds")
    // It makes waking more exact and changes nothing else, so a kernel that refuses is no failure.
    _ = cposix_set_timer_slack(UInt64(slack.nanoseconds))
  }

  /// The nanoseconds to hand to the kernel; negative is for ever.
  static func timeout(
    until deadline: Instant?, now: Instant, pieceMax: Interval = .seconds(60)
  ) -> Int64 {
    guard let deadline else { return -1 }
    if deadline <= now { return 0 }
    let (rest, hasOverflowed) = deadline.nanoseconds.subtractingReportingOverflow(now.nanoseconds)
    return hasOverflowed ? pieceMax.nanoseconds : min(rest, pieceMax.nanoseconds)
  }
}
