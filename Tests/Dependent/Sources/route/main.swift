import AppRuntime
import Basics
import Board
import CoreLocation
import Daemon
import Foundation
import Geodesy
import Model
import Posix
import Sun
import Wire

// Ends with 0 when the library works in this process, with a crash when it does not.
let london = CLLocation(latitude: 51.5074, longitude: -0.1278)
let newYork = CLLocation(latitude: 40.7128, longitude: -74.0060)
precondition(CLLocationCoordinate2DIsValid(london.coordinate))
precondition((london.distance(from: newYork) - 5_585_233.579).magnitude < 0.001)
_ = (Basics(), Board(), Daemon(), Sphere(), Waypoint(), Shell(), Fence())
precondition(Sun().hoursOfDay == 12)

checkSubclasses()

// As an app says it on a phone, with another name in front.
let defaults = DeviceDefaults.standard
defaults.register(defaults: ["liveUpdatesStarted": true])
precondition(defaults.bool(forKey: "liveUpdatesStarted"))
precondition(defaults.object(forKey: "liveUpdatesStarted") as? Bool == true)

// Without a daemon the sequence waits; canceling ends it.
let following = Task {
  for try await update in CLLocationUpdate.liveUpdates() where update.location != nil { break }
}
following.cancel()
_ = try? await following.value
print("route: \(Int(london.distance(from: newYork) / 1_000)) km")
