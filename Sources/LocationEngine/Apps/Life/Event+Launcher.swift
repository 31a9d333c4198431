public import BinnacleModel

extension Event {
  /// Events of the launcher, the program that starts, freezes and ends apps, and of the memory that its apps use.
  ///
  /// The daemon's connection to the launcher is made again by itself. An app outlives the launcher and the daemon.
  public enum Launcher: Equatable, Codable, Sendable {
    /// The launcher is connected, and has reported all apps of its that run.
    case connected([RunningApp])
    /// The connection has ended.
    case lost
    /// The app runs now: the answer to `Effect.Launcher.start`.
    case started(AppID)
    /// All processes of the app are frozen: the answer to `Effect.Launcher.freeze`.
    case frozen(AppID)
    /// The processes of the app run again: the answer to `Effect.Launcher.thaw`.
    case thawed(AppID)
    /// An order was not carried out, for this reason.
    case refused(AppID, Effect.Launcher, reason: String)
    /// The kernel reports this much available memory; read only while an app is suspended.
    case memoryRead(availableBytes: Int64)
    /// The app's first process has ended; the launcher has killed the others.
    case ended(AppID, AppEnding)
  }

  /// An app that the launcher has started and that runs.
  public struct RunningApp: Equatable, Codable, Sendable {
    public var app: AppID
    public var isFrozen: Bool

    public init(app: AppID, isFrozen: Bool) {
      self.app = app
      self.isFrozen = isFrozen
    }
  }

  /// The way in which an app's first process has ended.
  public enum AppEnding: Equatable, Codable, Sendable {
    /// The process ended by itself, with this status; 0 is success.
    case exited(status: Int32)
    /// A signal of this number ended the process.
    case killed(signal: Int32)
    /// The process had another parent, or ended while no launcher ran.
    case unknown
  }
}
