internal import BinnacleModel
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
  /// Without a daemon the phase is `active`.
  open private(set) var applicationState = State.inactive
  /// Called after each change of the phase.
  var phaseChanged: (() -> Void)?

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

  /// Launches the app: in the background if it is launched for a location, else in the foreground.
  func launch() {
    let isForLocation =
      ProcessInfo.processInfo.environment["BINNACLE_LAUNCHED"] == "location"
    if isForLocation { applicationState = .background }
    let options: [LaunchOptionsKey: Any]? = isForLocation ? [.location: true] : nil
    _ = delegate?.application(self, willFinishLaunchingWithOptions: options)
    _ = delegate?.application(self, didFinishLaunchingWithOptions: options)
    post(UIApplication.didFinishLaunchingNotification)
    if !isForLocation { becomeActive() }
  }

  /// The process ends.
  func terminate() {
    delegate?.applicationWillTerminate(self)
    post(UIApplication.willTerminateNotification)
  }

  // MARK: The phase

  /// The daemon has sent the phase of the app.
  func arrived(_ phase: AppPhase) {
    switch phase {
    case .active:
      guard applicationState != .active else { return }
      if applicationState == .background { enterForeground() }
      becomeActive()
    case .background: enterBackground()
    case .suspending:
      enterBackground()
      post(UIApplication.willSuspendNotification)
    @unknown default: break
    }
  }

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
    phaseChanged?()
  }

  private func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: self)
  }
}
