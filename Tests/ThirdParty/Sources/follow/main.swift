import CoreLocation
import Model
import Waymarks

let trail = Trail([
  Waymark(name: "harbor", latitude: 54.3233, longitude: 10.1394),
  Waymark(name: "lighthouse", latitude: 54.4667, longitude: 10.2667),
])

do {
  try await trail.follow { waymark, location in
    print("\(waymark.name): \(Int(location.distance(from: waymark.location))) m away")
  }
} catch CLError.denied {
  print("this program may not know its location")
}
