public import BinnacleBasics

/// What the daemon's loop has to know between two events.
extension Engine {
  public struct Outlook: Equatable, Sendable {
    /// When `deadlineReached` is due; nil when nothing is waited for.
    public var nextDeadline: Instant?
    /// Until when reading the receiver would only wake the board; nil: read as soon as there are bytes.
    ///
    /// A frame is still on the line, or an epoch has just been delivered.
    public var receiverQuietUntil: Instant?
    /// How often the receiver navigates, in Hz, as far as it was told.
    public var receiverRateHz: Int
    /// Whether no client gets positions: there are no updates, or all of them pause.
    public var isCalm: Bool
    /// Whether everything is written that can be, and nothing more is awaited that is worth writing.
    public var isStateSettled: Bool
  }

  /// The same until the next event.
  public var outlook: Outlook {
    Outlook(
      nextDeadline: nextDeadline, receiverQuietUntil: receiver.quietUntil,
      receiverRateHz: receiver.connection?.setup.ordered.rateHz ?? 1,
      isCalm: sessions.need != .updates,
      isStateSettled: keeper.isSettled && defaults.isSettled && tracks.isSettled
        && !receiver.isPolling)
  }

  /// When `deadlineReached` is due; nil when nothing is waited for.
  public var nextDeadline: Instant? {
    earlier(
      earlier(
        earlier(earlier(receiver.nextDeadline, skyDeadline), sessions.nextDeadline),
        keeper.nextDeadline),
      earlier(
        earlier(panel.nextDeadline, fixStaleAt),
        earlier(
          earlier(defaults.nextDeadline, outstandingDue),
          earlier(
            earlier(rest.nextDeadline, accelerometer.nextDeadline),
            earlier(tracks.nextDeadline, power.nextDeadline)))))
  }
}
