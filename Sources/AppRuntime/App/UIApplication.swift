internal import BinnacleModel
internal import CoreLocation
public import Foundation

/// The app as an object: its phase, its delegate and its background tasks.
@MainActor
open class UIApplication: NSObject {
  /// The phase of an app.
  public enum State: Int, Sendable {
    /// In the foreground.
    case active = 0
    /// Between two phases: the app is being launched, or enters or leaves the foreground.
    case inactive = 1
    /// In the background.
    case background = 2
  }

  /// The app of this process.
  public static let shared = UIApplication()

  /// The object that is informed of the app's life; the app does not keep it.
  open weak var delegate: (any UIApplicationDelegate)?
  /// The delegate that ``UIApplicationDelegateAdaptor`` has made.
  var keptDelegate: (any UIApplicationDelegate)?

  /// The present phase.
  ///
  /// Without a daemon the phase is `active`, after a wait for the daemon's first answer.
  open private(set) var applicationState = State.inactive
  /// Called after each change of the phase.
  var phaseChanged: (() -> Void)?
  private nonisolated let tasks = BackgroundTasks()

  /// The longest wait of a launch for the first phase, in seconds.
  ///
  /// A daemon that runs answers within milliseconds.
  private static let firstPhaseTimeMax = 1.0

  private override init() {
    super.init()
  }

  /// The present phase as views have it.
  var scenePhase: ScenePhase {
    switch applicationState {
    case .active: .active
    case .inactive: .inactive
    case .background: .background
    }
  }

  // MARK: The launch and the end

  /// Launches the app: in the background if it is launched for a location, else in the phase that the daemon sends.
  ///
  /// An app that systemd starts may be in the background from the beginning, and is then never active.
  func launch() {
    let isForLocation =
      ProcessInfo.processInfo.environment["BINNACLE_LAUNCHED"] == "location"
    if isForLocation { change(to: .background) }
    let options: [LaunchOptionsKey: Any]? = isForLocation ? [.location: true] : nil
    _ = delegate?.application(self, willFinishLaunchingWithOptions: options)
    _ = delegate?.application(self, didFinishLaunchingWithOptions: options)
    post(UIApplication.didFinishLaunchingNotification)
    let first = PhaseStorage.ofThisProcess.watch(
      firstWithin: isForLocation ? 0 : UIApplication.firstPhaseTimeMax
    ) { phase in
      DispatchQueue.main.async { MainActor.assumeIsolated { self.arrived(phase) } }
    }
    if let first {
      arrived(first)
    } else if !isForLocation {
      becomeActive()
    }
  }

  /// The process ends.
  func terminate() {
    delegate?.applicationWillTerminate(self)
    post(UIApplication.willTerminateNotification)
  }

  // MARK: The phase

  /// The daemon has sent the phase of the app.
  func arrived(_ phase: AppPhase) {
    // Not by a switch: Swift 6.0 does not take one over another library's enumeration where libraries evolve.
    if phase == .active {
      guard applicationState != .active else { return }
      if applicationState == .background { enterForeground() }
      becomeActive()
      return
    }
    enterBackground()
    if phase == .suspending {
      tasks.expire()
      post(UIApplication.willSuspendNotification)
    }
  }

  // MARK: Background tasks

  /// Begins a task that delays the suspension of the app, at most 30 s from its entry into the background.
  ///
  /// - Parameters:
  ///   - name: a name for the programmer; it is not used.
  ///   - handler: called when the time is over and the app is about to be suspended; the task ends afterwards.
  /// - Returns: the identifier of the task, for ``endBackgroundTask(_:)``.
  public nonisolated func beginBackgroundTask(
    withName name: String? = nil,
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    UIBackgroundTaskIdentifier(rawValue: tasks.begin(handler))
  }

  /// Ends a task.
  public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    tasks.end(identifier.rawValue)
  }

  /// The time in seconds that tasks still delay the suspension; without a limit while the app is in the foreground.
  public nonisolated var backgroundTimeRemaining: TimeInterval { tasks.timeRemaining }

  // MARK: Changes of the phase

  private func becomeActive() {
    change(to: .active)
    delegate?.applicationDidBecomeActive(self)
    post(UIApplication.didBecomeActiveNotification)
  }

  private func enterForeground() {
    delegate?.applicationWillEnterForeground(self)
    post(UIApplication.willEnterForegroundNotification)
    change(to: .inactive)
  }

  private func enterBackground() {
    guard applicationState != .background else { return }
    if applicationState == .active {
      delegate?.applicationWillResignActive(self)
      post(UIApplication.willResignActiveNotification)
    }
    change(to: .background)
    delegate?.applicationDidEnterBackground(self)
    post(UIApplication.didEnterBackgroundNotification)
  }

  private func change(to state: State) {
    applicationState = state
    tasks.phaseChanged(isInBackground: state == .background)
    phaseChanged?()
  }

  private func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: self)
  }
}
