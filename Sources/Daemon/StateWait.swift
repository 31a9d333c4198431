import BinnaclePosix
import LocationEngine

/// The wait for the stored state at the start of the daemon.
///
/// The stored state applies from the first event on, so it is read first. A disk may hang, so a request to stop ends the
/// wait.
struct StateWait {
  /// The first events of the log; empty if a stop was requested before.
  private(set) var events: [Event] = []
  /// The signal that requested a stop; nil if the state was read.
  private(set) var stop: Signals.Signal?
  /// Whether a hang-up has requested that the daemon reads its settings again.
  private(set) var isReloadDue = false

  /// Waits until the state is read, or a stop is requested.
  ///
  /// - Parameters:
  ///   - logWriter: the log of state.
  ///   - descriptor: is readable when a signal has come.
  ///   - hangUpReloads: whether a hang-up requests a reload, and not a stop.
  ///   - nextSignal: returns the next signal that has come; nil when there is none.
  init<Store>(
    for logWriter: LogWriter<Store>, signals descriptor: Int32, hangUpReloads: Bool,
    nextSignal: () -> Signals.Signal?
  ) {
    while events.isEmpty, stop == nil {
      logWriter.wait(orFor: descriptor)
      events = logWriter.takeEvents()
      // The loop handles the signals that come with the state.
      if !events.isEmpty { return }
      while stop == nil, let signal = nextSignal() {
        if signal == .hangUp, hangUpReloads {
          isReloadDue = true
        } else {
          stop = signal
        }
      }
    }
  }
}
