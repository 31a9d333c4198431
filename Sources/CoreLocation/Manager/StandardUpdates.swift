internal import Foundation
internal import Synchronization

/// The standard location service of one manager: live updates with the manager's filters.
final class StandardUpdates: Sendable {
  /// The settings of the manager when the service starts, and at each change.
  struct Settings: Sendable {
    var activityType = CLActivityType.other
    var desiredAccuracy = kCLLocationAccuracyBest
    var distanceFilter = kCLDistanceFilterNone
    var pausesAutomatically = true
    var continuesInBackground = false

    /// Whether the app wants the approximate location.
    var isReduced: Bool { StandardUpdates.isReduced(desiredAccuracy) }
  }

  /// News for the delegate.
  enum News: Sendable {
    case location(CLLocation)
    case failed(CLError.Code)
    case paused
  }

  private struct Inside {
    var settings = Settings()
    /// The task that delivers updates; nil while the service does not run.
    var task: Task<Void, Never>?
    /// The number of the last task; a task that has been replaced has a lower number.
    var generation = 0
    var background: SessionStorage?
    var lastDelivered: CLLocation?
    /// Whether the delegate knows that the app is denied.
    var isDenialTold = false

    /// Whether a task is the present one.
    func isCurrent(_ generation: Int) -> Bool { task != nil && self.generation == generation }
  }

  private let inside = Mutex(Inside())
  private let service: @Sendable () -> DaemonConnection
  private let deliver: @Sendable (News) -> Void

  init(
    service: @escaping @Sendable () -> DaemonConnection, deliver: @escaping @Sendable (News) -> Void
  ) {
    self.service = service
    self.deliver = deliver
  }

  deinit { stop() }

  var isRunning: Bool { inside.withLock { $0.task != nil } }

  /// Starts the service; a service that runs continues.
  func start() {
    inside.withLock { inside in
      guard inside.task == nil else { return }
      inside.lastDelivered = nil
      inside.isDenialTold = false
      begin(&inside)
      settleBackground(&inside)
    }
  }

  /// Makes the task of the present settings.
  private func begin(_ inside: inout Inside) {
    inside.generation += 1
    inside.task = task(inside.settings, generation: inside.generation)
  }

  func stop() {
    let (task, background) = inside.withLock { inside in
      defer { (inside.task, inside.background) = (nil, nil) }
      return (inside.task, inside.background)
    }
    task?.cancel()
    background?.end()
  }

  /// Applies changed settings; another activity, or reduced accuracy, starts the service anew.
  func change(_ change: (inout Settings) -> Void) {
    inside.withLock { inside in
      let before = inside.settings
      change(&inside.settings)
      let isOther =
        before.activityType != inside.settings.activityType
        || before.isReduced != inside.settings.isReduced
      if let task = inside.task, isOther {
        task.cancel()
        begin(&inside)
      }
      settleBackground(&inside)
    }
  }

  /// Holds the session that keeps the app in use, while updates run that continue in the background.
  private func settleBackground(_ inside: inout Inside) {
    let isWanted = inside.task != nil && inside.settings.continuesInBackground
    if isWanted, inside.background == nil {
      let session = SessionStorage(.standardUpdates, service: service)
      session.begin()
      inside.background = session
    } else if !isWanted, let session = inside.background.take() {
      session.end()
    }
  }

  private func task(_ settings: Settings, generation: Int) -> Task<Void, Never> {
    let configuration = settings.activityType.configuration.inModel
    let isReduced = settings.isReduced
    let service = service
    return Task.detached { [weak self] in
      // A pause ends one sequence. An app that does not want pauses gets another one, with a dwell of its own.
      while !Task.isCancelled {
        let updates = CLLocationUpdate.Updates(
          configuration: configuration, isReduced: isReduced, connection: service)
        do {
          for try await update in updates {
            guard let self else { return }
            if self.take(update) == .ended { break }
          }
        } catch {
          self?.refused(error, generation: generation)
          return
        }
        guard self?.isRunning == true else { return }
      }
    }
  }

  /// The daemon has ended the sequence of a task; the service has ended, and the app may start it again.
  private func refused(_ error: any Error, generation: Int) {
    inside.withLock { inside in
      guard inside.isCurrent(generation) else { return }
      inside.task = nil
      settleBackground(&inside)
    }
    if let error = error as? CLError { deliver(.failed(error.code)) }
  }

  private enum Progress { case continues, ended }

  private func take(_ update: CLLocationUpdate) -> Progress {
    if let location = update.location {
      let isDue = inside.withLock { inside in
        let isDue = StandardUpdates.isDue(
          location, after: inside.lastDelivered, filter: inside.settings.distanceFilter)
        if isDue { inside.lastDelivered = location }
        return isDue
      }
      if isDue { deliver(.location(location)) }
    }
    if isNewDenial(update) { deliver(.failed(.denied)) }
    if update.locationUnavailable { deliver(.failed(.locationUnknown)) }
    guard update.stationary else { return .continues }
    if inside.withLock({ $0.settings.pausesAutomatically }) {
      stop()
      deliver(.paused)
    }
    return .ended
  }

  /// Whether an update reports a denial that the delegate does not know yet; location services that are switched off and on
  /// change nothing for a denied app.
  private func isNewDenial(_ update: CLLocationUpdate) -> Bool {
    let isDenied = update.authorizationDenied || update.authorizationRestricted
    return inside.withLock { inside in
      defer { inside.isDenialTold = isDenied }
      return isDenied && !inside.isDenialTold
    }
  }

  /// Whether an app that wants this accuracy gets the approximate location.
  static func isReduced(_ accuracy: CLLocationAccuracy) -> Bool {
    accuracy >= kCLLocationAccuracyReduced
  }

  /// An accuracy has improved if it is at most this share of the accuracy before.
  ///
  /// The accuracy of a receiver at rest changes by millimeters with each position.
  private static let improvement = 0.9

  /// Whether a location passes the distance filter: it is far enough away, or clearly more accurate.
  static func isDue(
    _ location: CLLocation, after last: CLLocation?, filter: CLLocationDistance
  ) -> Bool {
    guard let last, filter > 0 else { return true }
    return location.distance(from: last) >= filter
      || location.horizontalAccuracy <= last.horizontalAccuracy * improvement
  }
}

extension CLActivityType {
  fileprivate var configuration: CLLocationUpdate.LiveConfiguration {
    switch self {
    case .other: .default
    case .automotiveNavigation: .automotiveNavigation
    case .fitness: .fitness
    case .otherNavigation: .otherNavigation
    case .airborne: .airborne
    }
  }
}
