import AppRuntime
import CoreLocation

// An app of the kind that Apple's article on live updates describes, in our own words: a shared state that is an
// observable object with a manager, a session and published properties; a delegate that takes them up; and the app
// with its delegate and its views. The annotations, or their absence, are those of an app for iOS.

@MainActor class Trip: ObservableObject {
  static let shared = Trip()
  private let manager: CLLocationManager
  private var session: CLBackgroundActivitySession?
  private let logger = Logger()

  @Published var place = CLLocation()
  @Published var rests = false
  @Published var fixes = 0

  @Published
  var isRecording: Bool = DeviceDefaults.standard.bool(forKey: "tripIsRecorded") {
    didSet { DeviceDefaults.standard.set(isRecording, forKey: "tripIsRecorded") }
  }

  @Published
  var goesOn: Bool = DeviceDefaults.standard.bool(forKey: "tripGoesOn") {
    didSet {
      goesOn ? self.session = CLBackgroundActivitySession() : self.session?.invalidate()
      DeviceDefaults.standard.set(goesOn, forKey: "tripGoesOn")
    }
  }

  private init() {
    self.manager = CLLocationManager()
  }

  func record() {
    if self.manager.authorizationStatus == .notDetermined {
      self.manager.requestWhenInUseAuthorization()
    }
    self.logger.info("recording, \(self.fixes) fixes so far")
    Task {
      do {
        self.isRecording = true
        let updates = CLLocationUpdate.liveUpdates()
        for try await update in updates {
          if !self.isRecording { break }
          if let place = update.location {
            self.place = place
            self.rests = update.stationary
            self.fixes += 1
          }
        }
      } catch {
        self.logger.error("recording ended: \(error)")
      }
      return
    }
  }

  func stop() {
    self.isRecording = false
    self.goesOn = false
  }
}

class TripDelegate: NSObject, UIApplicationDelegate, ObservableObject {
  @Published var launches = 0
  private var task = UIBackgroundTaskIdentifier.invalid
  private var suspension: (any NSObjectProtocol)?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    let trip = Trip.shared
    launches += 1
    print("launched \(launchOptions?[.location] == nil ? "by a person" : "for a location")")
    suspension = NotificationCenter.default.addObserver(
      forName: UIApplication.willSuspendNotification, object: nil, queue: nil
    ) { _ in print("notification: suspension") }
    if trip.isRecording { trip.record() }
    if trip.goesOn { trip.goesOn = true }
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) { print("delegate: active") }

  func applicationWillResignActive(_ application: UIApplication) { print("delegate: resigns") }

  func applicationDidEnterBackground(_ application: UIApplication) {
    print("delegate: background")
    task = application.beginBackgroundTask(withName: "upload") {
      print("task: time over, state \(application.applicationState == .background)")
    }
    print("task: \(Int(application.backgroundTimeRemaining.rounded(.up))) s")
  }

  func applicationWillEnterForeground(_ application: UIApplication) {
    application.endBackgroundTask(task)
    print("delegate: foreground")
  }

  func applicationWillTerminate(_ application: UIApplication) { print("delegate: end") }
}

struct TripApp: App {
  @UIApplicationDelegateAdaptor private var appDelegate: TripDelegate
  @Environment(\.scenePhase) private var scenePhase

  var body: some Scene {
    WindowGroup {
      TripView()
    }
    .onChange(of: scenePhase) { old, new in print("scene: \(old) to \(new)") }
  }
}

struct TripView: View {
  @ObservedObject var trip = Trip.shared
  @EnvironmentObject var delegate: TripDelegate
  @State private var activity: LiveActivity?

  var body: some View {
    VStack {
      Text("Fixes: \(trip.fixes)")
      Text(String(format: "Place: %.2f", trip.place.coordinate.latitude))
      Text("Launches: \(delegate.launches)")
      Spacer()
      HStack {
        Button("RECORD") { trip.record() }
        Button("GO ON") { trip.goesOn = true }
        Button("STOP") { trip.stop() }
      }
      Button("ACTIVITY") {
        if let activity {
          activity.update("back in \(trip.fixes)")
        } else {
          activity = LiveActivity("on the way")
        }
      }
      if activity != nil {
        Button("ARRIVED") {
          activity?.end()
          activity = nil
        }
      }
    }
  }
}
