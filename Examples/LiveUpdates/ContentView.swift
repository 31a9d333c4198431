import AppRuntime

/// The state of the app, with a button for the updates and one for the session in the background.
///
/// The app also prints each update, so it shows the view only if it is asked to.
struct ContentView: View {
  @ObservedObject private var handler = LocationsHandler.shared
  @EnvironmentObject private var delegate: AppDelegate
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    if delegate.showsView {
      VStack {
        Text("Locations: \(handler.count)")
        Text(handler.isStationary ? "At rest" : "Moving")
        Text("Phase: \(scenePhase)")
        Button(handler.updatesStarted ? "Stop Location Updates" : "Start Location Updates") {
          if handler.updatesStarted {
            handler.stopLocationUpdates()
          } else {
            handler.startLocationUpdates()
          }
        }
        Button(handler.backgroundActivity ? "Stop Background Session" : "Start Background Session")
        {
          handler.backgroundActivity.toggle()
        }
      }
    }
  }
}
