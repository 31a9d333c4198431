import CoreLocation

/// The app's one place for its location: what a view would show, and two buttons.
@MainActor
final class LocationsHandler {
  static let shared = LocationsHandler()

  private(set) var lastLocation = CLLocation()
  private(set) var isStationary = false
  private(set) var count = 0
  private(set) var updatesStarted = false
  private var updating: Task<Void, Never>?

  private init() {}

  func startLocationUpdates() {
    guard !updatesStarted else { return }
    updatesStarted = true
    Terminal.say("starting location updates")
    updating = Task {
      do {
        for try await update in CLLocationUpdate.liveUpdates() {
          if !updatesStarted { break }
          show(update)
        }
      } catch {
        Terminal.complain("location updates ended: \(error.localizedDescription)")
        updatesStarted = false
      }
    }
  }

  func stopLocationUpdates() {
    guard updatesStarted else { return }
    Terminal.say("stopping location updates")
    updatesStarted = false
    updating?.cancel()
  }

  private func show(_ update: CLLocationUpdate) {
    isStationary = update.stationary
    if let location = update.location {
      lastLocation = location
      count += 1
      Terminal.say("\(count): \(UpdateLine.text(of: location))")
    }
    for explanation in UpdateLine.explanations(of: update) {
      Terminal.say(explanation)
    }
  }
}
