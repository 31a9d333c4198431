public import BinnacleBasics

/// The state of the engine that the loop needs between two events.
extension Engine {
  public struct Outlook: Equatable, Sendable {
    /// When `deadlineReached` is due; nil without a deadline.
    public var nextDeadline: Instant?
    /// Until when a read of the receiver would wake the board without need; nil: read as soon as there are bytes.
    ///
    /// During this time a frame is still on the line, or an epoch has just been delivered.
    public var receiverQuietUntil: Instant?
    /// The ordered navigation rate of the receiver, in Hz.
    public var receiverRateHz: Int
    /// Whether no client gets positions: there are no updates, or all of them pause.
    public var isCalm: Bool
    /// Whether all state is written that can be written, and no data for the state is awaited.
    public var isStateSettled: Bool
    /// Whether the available memory is to be read every ``memoryPeriod``: an app is suspended.
    public var isMemoryWatched: Bool

    /// How often the available memory is read.
    public static let memoryPeriod = Interval.seconds(10)
  }

  /// The outlook, which is constant until the next event.
  public var outlook: Outlook {
    Outlook(
      nextDeadline: nextDeadline, receiverQuietUntil: receiver.quietUntil,
      receiverRateHz: receiver.connection?.value.setup.ordered.rateHz ?? 1,
      isCalm: settledNeed != .updates,
      isStateSettled: storage.isSettled && defaults.isSettled
        && !receiver.isPolling,
      isMemoryWatched: apps.lives.hasSuspended)
  }

  /// When `deadlineReached` is due; nil without a deadline.
  public var nextDeadline: Instant? {
    earlier(
      earlier(
        earlier(
          earlier(receiver.nextDeadline, skyDeadline),
          earlier(
            earlier(apps.nextDeadline, sessionsDue), earlier(promptDeadline, updates.nextDeadline))
        ),
        storage.nextDeadline),
      earlier(
        earlier(panel.nextDeadline, fixStaleAt),
        earlier(
          earlier(defaults.nextDeadline, earlier(outstandingDue, waitingDue)),
          earlier(
            earlier(rest.nextDeadline, accelerometer.nextDeadline),
            earlier(power.nextDeadline, earlier(consoles.nextDeadline, consoleUsesDue))))))
  }
}
