public import Foundation

extension UIApplication {
  /// A reason for the launch of the app, for the delegate's methods.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// A reason with a name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The app was launched in the background for a location; the value is true.
    public static let location = LaunchOptionsKey(
      rawValue: "UIApplicationLaunchOptionsLocationKey")
  }

  /// Posted after the delegate's `application(_:didFinishLaunchingWithOptions:)`.
  public nonisolated static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  /// Posted when the app is in the foreground.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Posted before the app leaves the foreground.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Posted when the app is in the background.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Posted before the app leaves the background.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// Posted before the app is suspended: about a second later all threads of the process stand still.
  ///
  /// Binnacle's own: Apple's systems suspend without a notification. After the suspension the app continues at the same place.
  public nonisolated static let willSuspendNotification = Notification.Name(
    "BinnacleApplicationWillSuspendNotification")
  /// Posted before the process ends.
  public nonisolated static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")
}
