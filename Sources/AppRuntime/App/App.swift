/// An app: the program begins with it.
///
///     @main
///     struct Route: App {
///       @UIApplicationDelegateAdaptor private var appDelegate: AppDelegate
///
///       var body: some Scene {
///         WindowGroup { ContentView() }
///       }
///     }
///
/// The process has no display. The views are lines in its standard output, which `binnacle output` shows for a launched app.
/// SIGTERM and SIGINT end the process with status 0, after `applicationWillTerminate`.
@MainActor
public protocol App {
  /// The type of the body.
  associatedtype Body: Scene
  /// The scene of the app.
  @SceneBuilder var body: Body { get }
  /// Makes the app, at the start of the process.
  init()
}

extension App {
  /// Runs the app until the process ends.
  public static func main() {
    AppLife(of: Self()).run()
  }
}
