import AppRuntime
import CoreLocation

/// A process whose parent has a connection to a daemon.
@MainActor
enum ForkedChild {
  private static let watch = AuthorizationWatch()

  /// Connects this process and continues as its forked child, which ends like an app when its parent has ended.
  static func becomeOne(runtime: String) {
    _ = CLLocationManager.locationServicesEnabled()
    _ = PhaseStorage.ofThisProcess.watch(firstWithin: 0) { _ in }
    _ = ButtonEvents().makeAsyncIterator()
    var pipeEnds: [Int32] = [-1, -1]
    pipe(&pipeEnds)
    // Swift declares `fork` unavailable.
    typealias Fork = @convention(c) () -> pid_t
    let child = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
    guard child == 0 else {
      var status: Int32 = 0
      while waitpid(child, &status, 0) != child {}
      exit(status)
    }
    close(pipeEnds[1])
    let parentsEnd = pipeEnds[0]
    setenv("BINNACLE_RUNTIME", runtime, 1)
    Thread {
      var byte: UInt8 = 0
      _ = read(parentsEnd, &byte, 1)
      kill(getpid(), SIGTERM)
    }.start()
    watch.begin()
  }
}

/// Prints the authorization of the app.
private final class AuthorizationWatch: NSObject, CLLocationManagerDelegate {
  private var manager: CLLocationManager?

  func begin() {
    manager = CLLocationManager()
    manager?.delegate = self
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    print("authorization: \(manager.authorizationStatus.rawValue)")
  }
}
