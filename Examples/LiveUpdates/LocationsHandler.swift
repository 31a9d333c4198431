import AppRuntime
import CoreLocation

/// The app's one place for its location: the shared state that the view shows and the delegate takes up.
@MainActor
final class LocationsHandler: ObservableObject {
  static let shared = LocationsHandler()

  @Published private(set) var lastLocation = CLLocation()
  @Published private(set) var isStationary = false
  @Published private(set) var count = 0
  /// Whether updates are printed as JSON.
  var printsJSON = false
  /// Also after the next start: a kill or a power cut ends the program, not what it was told to do.
  @Published
  private(set) var updatesStarted: Bool = DeviceDefaults.standard.bool(forKey: "liveUpdatesStarted")
  {
    didSet { DeviceDefaults.standard.set(updatesStarted, forKey: "liveUpdatesStarted") }
  }
  /// Whether updates continue in the background; the app takes its session up after a kill or a power cut.
  @Published
  var backgroundActivity: Bool = DeviceDefaults.standard.bool(forKey: "BGActivitySessionStarted") {
    didSet {
      if backgroundActivity {
        background = CLBackgroundActivitySession()
      } else {
        background?.invalidate()
        background = nil
      }
      DeviceDefaults.standard.set(backgroundActivity, forKey: "BGActivitySessionStarted")
    }
  }
  private var background: CLBackgroundActivitySession?
  private lazy var manager = CLLocationManager()
  private var service: CLServiceSession?
  private var updating: Task<Void, Never>?

  private init() {}

  /// Asks for the location if no answer is known yet, and says what the app needs for as long as it runs.
  func needAuthorization() {
    if manager.authorizationStatus == .notDetermined { manager.requestWhenInUseAuthorization() }
    service = CLServiceSession(authorization: .whenInUse)
  }

  func startLocationUpdates() {
    guard updating == nil else { return }
    say("\(updatesStarted ? "taking up" : "starting") location updates")
    updatesStarted = true
    updating = Task {
      do {
        for try await update in CLLocationUpdate.liveUpdates() {
          if !updatesStarted { break }
          show(update)
        }
      } catch {
        Terminal.complain("location updates ended: \(error.localizedDescription)")
        updatesStarted = false
        updating = nil
      }
    }
  }

  func stopLocationUpdates() {
    guard updatesStarted else { return }
    say("stopping location updates")
    updatesStarted = false
    updating?.cancel()
    updating = nil
  }

  /// Ends everything that the app has begun.
  func stop() {
    stopLocationUpdates()
    backgroundActivity = false
  }

  func sayCount() { say("\(count) \(count == 1 ? "location" : "locations") in all") }

  /// Prints a line for a person.
  func say(_ line: String) {
    if printsJSON { Terminal.complain(line) } else { Terminal.say(line) }
  }

  private func show(_ update: CLLocationUpdate) {
    isStationary = update.stationary
    if let location = update.location {
      lastLocation = location
      count += 1
    }
    if printsJSON {
      return Terminal.say(UpdateLine.json(of: update, receivedAt: UpdateLine.now))
    }
    if let location = update.location {
      Terminal.say("\(count): \(UpdateLine.text(of: location))")
    }
    for explanation in UpdateLine.explanations(of: update) {
      Terminal.say(explanation)
    }
  }
}
