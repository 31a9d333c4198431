public import Foundation

/// The methods that an app's delegate is informed by; each has a default.
///
/// The class that adopts the protocol declares the methods, and its subclasses override them. A method that only a subclass
/// declares is not called.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
  /// The app is being launched; returns false if the launch makes no sense, which changes nothing here.
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The app is launched: the place to take up sessions and updates, before this method returns.
  ///
  /// ``UIApplication/LaunchOptionsKey/location`` is among the options if the app was launched for a location.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The app is in the foreground.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// The app leaves the foreground.
  func applicationWillResignActive(_ application: UIApplication)
  /// The app is in the background.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// The app leaves the background.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// The process ends as soon as this method has returned and the values of ``DeviceDefaults`` are stored.
  func applicationWillTerminate(_ application: UIApplication)
}

extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  public func applicationWillResignActive(_ application: UIApplication) {}
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  public func applicationWillTerminate(_ application: UIApplication) {}
}
