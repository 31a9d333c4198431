public import BinnacleBasics

/// What the loop needs to know between two events.
extension Engine {
  public struct Outlook: Equatable, Sendable {
    /// When `deadlineReached` is due; nil when no time matters.
    public var nextDeadline: Instant?
    /// Until when reading the receiver would wake the board for nothing; nil: read as soon as there are bytes.
    ///
    /// A frame is still on the line, or an epoch has just been delivered.
    public var receiverQuietUntil: Instant?
    /// The navigation rate that the receiver was ordered, in Hz.
    public var receiverRateHz: Int
    /// Whether no client gets positions: there are no updates, or all of them pause.
    public var isCalm: Bool
    /// Whether all state is written that can be written, and nothing worth writing is awaited.
    public var isStateSettled: Bool
  }

  /// Constant until the next event.
  public var outlook: Outlook {
    Outlook(
      nextDeadline: nextDeadline, receiverQuietUntil: receiver.quietUntil,
      receiverRateHz: receiver.connection?.setup.ordered.rateHz ?? 1,
      isCalm: need != .updates,
      isStateSettled: storage.isSettled && defaults.isSettled
        && !receiver.isPolling)
  }

  /// When `deadlineReached` is due; nil when no time matters.
  public var nextDeadline: Instant? {
    earlier(
      earlier(
        earlier(
          earlier(receiver.nextDeadline, skyDeadline),
          earlier(apps.nextDeadline, updates.nextDeadline)),
        storage.nextDeadline),
      earlier(
        earlier(panel.nextDeadline, fixStaleAt),
        earlier(
          earlier(defaults.nextDeadline, outstandingDue),
          earlier(
            earlier(rest.nextDeadline, accelerometer.nextDeadline),
            power.nextDeadline))))
  }
}
