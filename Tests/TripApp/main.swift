import AppRuntime
import CoreLocation

// Runs the app.
//
//     TripApp [--forked RUNTIME]
//
// With --forked the app is a forked child of this process, with a runtime directory of its own.

let words = CommandLine.arguments
switch words.dropFirst().first {
case "--forked": ForkedChild.becomeOne(runtime: words[2])
default: break
}
TripApp.main()
