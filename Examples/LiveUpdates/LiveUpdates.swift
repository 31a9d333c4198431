import AppRuntime

/// Apple's sample of live updates, in full: an app that takes up its updates and its session after a crash and after a power cut.
///
///     LiveUpdates [--resume] [--session] [--background] [--view] [--json] [--seconds N]
///
/// ``LocationsHandler`` is the shared state, ``AppDelegate`` takes up what was begun, and ``ContentView`` shows the state.
///
/// With `--session` the app asks for the location, and holds a service session. With `--background` the updates continue while
/// the app is in the background. With `--view` the app also shows its view: each line of the view that has changed. With `--json`
/// each update is a JSON object in a line, with the time of its arrival in nanoseconds of `CLOCK_MONOTONIC`; all other lines go to
/// standard error. With `--resume`, for a service that starts the app with the board, the app takes up updates that a kill or a
/// power cut has ended, and ends at once if there are none. The exit status is 0, or 1 if the time was over and no location had
/// come.
@main
struct LiveUpdates: App {
  @UIApplicationDelegateAdaptor private var appDelegate: AppDelegate

  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
