import AppRuntime
import CoreLocation

// Runs the app.
//
//     TripApp [--forked RUNTIME | --subclass]
//
// With --forked the app is a forked child of this process, with a runtime directory of its own. With --subclass the app also
// has a manager, and a subclass of the class that adopts CLLocationManagerDelegate is the delegate.

let words = CommandLine.arguments
let listener = words.contains("--subclass") ? LateListener() : nil
switch words.dropFirst().first {
case "--forked": ForkedChild.becomeOne(runtime: words[2])
case "--subclass": listener?.listen()
default: break
}
TripApp.main()
