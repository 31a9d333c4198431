import AppRuntime
import CoreLocation

/// Takes up, at each launch, what the process before had begun.
///
/// Everything happens before `application(_:didFinishLaunchingWithOptions:)` returns: a session of the process before waits only
/// `RejoinWindow` for its new object, and objects that a view makes later may be too late.
final class AppDelegate: NSObject, UIApplicationDelegate, ObservableObject {
  @Published private(set) var showsView = false

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      Terminal.complain(Options.usage)
      exit(64)
    }
    let handler = LocationsHandler.shared
    handler.printsJSON = options.printsJSON
    showsView = options.showsView
    // An app that is launched for a location continues what it had begun, and begins nothing else.
    let mustResume = options.mustResume || launchOptions?[.location] != nil
    if mustResume, !handler.updatesStarted {
      handler.say("no location updates to take up")
      exit(0)
    }
    if options.hasSession { handler.needAuthorization() }
    if handler.backgroundActivity || (options.isBackground && !mustResume) {
      handler.backgroundActivity = true
    }
    handler.startLocationUpdates()
    if options.seconds.isFinite { end(afterSeconds: options.seconds) }
    return true
  }

  /// A person has ended the program in its terminal, or the launcher ends the app.
  ///
  /// The launcher ends an app for a person, with the board, or for a lack of memory. The updates and the session stay begun:
  /// the next process takes them up.
  func applicationWillTerminate(_ application: UIApplication) {
    let handler = LocationsHandler.shared
    if ProcessInfo.processInfo.environment["BINNACLE_LAUNCHED"] == nil { handler.stop() }
    handler.sayCount()
  }

  private func end(afterSeconds seconds: Double) {
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
      Task { @MainActor in
        let handler = LocationsHandler.shared
        handler.stop()
        do {
          try await DeviceDefaults.standard.flush(within: 5)
        } catch {
          Terminal.complain("not kept that updates are stopped: \(error.localizedDescription)")
        }
        handler.sayCount()
        exit(handler.count == 0 ? 1 : 0)
      }
    }
  }
}
