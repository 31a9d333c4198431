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
    /// The number of the last task that the app has stopped: its news is not delivered any more.
    var stoppedGeneration = 0
    var background: SessionStorage?
    /// The session that an app with `RequireExplicitServiceSession` needs; nil until the daemon requires it.
    var required: SessionStorage?
    var lastDelivered: CLLocation?
    /// Whether the delegate knows that the app is denied.
    var isDenialTold = false

    /// Whether a task is the present one.
    func isCurrent(_ generation: Int) -> Bool { task != nil && self.generation == generation }

    /// The news for the delegate in an update.
    mutating func news(of update: CLLocationUpdate) -> [News] {
      var news: [News] = []
      if let location = update.location, isDue(location) {
        lastDelivered = location
        news.append(.location(location))
      }
      if isNewDenial(update) { news.append(.failed(.denied)) }
      if update.locationUnavailable { news.append(.failed(.locationUnknown)) }
      return news
    }

    private func isDue(_ location: CLLocation) -> Bool {
      StandardUpdates.isDue(location, after: lastDelivered, filter: settings.distanceFilter)
    }

    /// Whether an update reports a denial that the delegate does not know yet; location services that are switched off and
    /// on change nothing for a denied app.
    private mutating func isNewDenial(_ update: CLLocationUpdate) -> Bool {
      let isDenied = update.authorizationDenied || update.authorizationRestricted
      defer { isDenialTold = isDenied }
      return isDenied && !isDenialTold
    }
  }

  /// The task and the sessions that a change has ended; they end after the lock is released, because their end wakes another
  /// thread.
  private struct Ended: Sendable {
    var task: Task<Void, Never>?
    var sessions: [SessionStorage] = []

    func carryOut() {
      task?.cancel()
      for session in sessions { session.end() }
    }
  }

  private let inside = Mutex(Inside())
  private let service: @Sendable () -> DaemonConnection
  private let deliver: @Sendable (News, _ generation: Int) -> Void

  /// - Parameters:
  ///   - service: the connection to the daemon.
  ///   - deliver: takes news, and the number of the task that the news is from.
  init(
    service: @escaping @Sendable () -> DaemonConnection,
    deliver: @escaping @Sendable (News, _ generation: Int) -> Void
  ) {
    self.service = service
    self.deliver = deliver
  }

  deinit { stop() }

  var isRunning: Bool { inside.withLock { $0.task != nil } }

  /// Whether the app has not stopped the service since a task was begun.
  func isWanted(_ generation: Int) -> Bool { inside.withLock { generation > $0.stoppedGeneration } }

  /// Starts the service; a service that runs continues, and repeats a denial.
  func start() {
    if isRunning { return repeatDenial() }
    inside.withLock { inside in
      guard inside.task == nil else { return }
      inside.lastDelivered = nil
      inside.isDenialTold = false
      begin(&inside)
      beginBackground(&inside)
    }
  }

  /// Tells the delegate again that the app is denied, if the delegate knows it.
  ///
  /// The app has made another call, and no other answer to it may ever come.
  func repeatDenial() {
    let denied = inside.withLock { inside -> Int? in
      inside.task != nil && inside.isDenialTold ? inside.generation : nil
    }
    if let denied { deliver(.failed(.denied), denied) }
  }

  /// Makes the task of the present settings.
  private func begin(_ inside: inout Inside) {
    inside.generation += 1
    inside.task = task(inside.settings, generation: inside.generation)
  }

  /// Stops the service; news that has not been delivered is dropped.
  func stop() {
    let ended = inside.withLock { inside in
      inside.stoppedGeneration = inside.generation
      return end(&inside)
    }
    ended.carryOut()
  }

  private func end(_ inside: inout Inside) -> Ended {
    let sessions = [inside.background.take(), inside.required.take()]
    return Ended(task: inside.task.take(), sessions: sessions.compactMap { $0 })
  }

  /// Applies changed settings; another activity, or reduced accuracy, starts the service anew.
  func change(_ change: (inout Settings) -> Void) {
    let ended = inside.withLock { inside in
      let before = inside.settings
      change(&inside.settings)
      var ended = Ended()
      let isOther =
        before.activityType != inside.settings.activityType
        || before.isReduced != inside.settings.isReduced
      if let task = inside.task, isOther {
        ended.task = task
        begin(&inside)
      }
      beginBackground(&inside)
      if !inside.settings.continuesInBackground, let session = inside.background.take() {
        ended.sessions.append(session)
      }
      return ended
    }
    ended.carryOut()
  }

  /// Makes the session that keeps the app in use, if updates run that continue in the background.
  private func beginBackground(_ inside: inout Inside) {
    guard inside.task != nil, inside.settings.continuesInBackground, inside.background == nil
    else { return }
    let session = SessionStorage(.standardUpdates, service: service)
    session.begin()
    inside.background = session
  }

  /// Makes the service session that the daemon requires of an app with `RequireExplicitServiceSession`.
  ///
  /// Apps of the manager do not know service sessions. This one has no requirement, so the user is not asked.
  static func requiredSession(
    _ service: @escaping @Sendable () -> DaemonConnection
  ) -> SessionStorage {
    let session = SessionStorage(.service(.none), service: service)
    session.begin()
    return session
  }

  private func task(_ settings: Settings, generation: Int) -> Task<Void, Never> {
    let configuration = settings.activityType.configuration.inModel
    let isReduced = settings.isReduced
    let service = service
    return Task.detached(executorPreference: ClassicExecutor.ofThisProcess) { [weak self] in
      // A pause ends one sequence. An app that does not want pauses gets another one, with a dwell of its own.
      while !Task.isCancelled {
        let updates = CLLocationUpdate.Updates(
          configuration: configuration, options: isReduced ? .reduced : [], connection: service)
        do {
          for try await update in updates {
            guard let self else { return }
            if self.take(update, generation: generation) == .ended { break }
          }
        } catch {
          self?.refused(error, generation: generation)
          return
        }
        guard self?.isCurrent(generation) == true else { return }
      }
    }
  }

  private func isCurrent(_ generation: Int) -> Bool {
    inside.withLock { $0.isCurrent(generation) }
  }

  /// The daemon has ended the sequence of a task; the service has ended, and the app may start it again.
  private func refused(_ error: any Error, generation: Int) {
    let ended = inside.withLock { inside in
      inside.isCurrent(generation) ? end(&inside) : nil
    }
    ended?.carryOut()
    if ended != nil, let error = error as? CLError { deliver(.failed(error.code), generation) }
  }

  enum Progress { case continues, ended }

  /// Takes an update of a task; an update of a task that the app has stopped or replaced has no effect.
  func take(_ update: CLLocationUpdate, generation: Int) -> Progress {
    var (news, ended) = ([News](), Ended())
    let progress = inside.withLock { inside -> Progress in
      guard inside.isCurrent(generation) else { return .ended }
      if update.serviceSessionRequired, inside.required == nil {
        inside.required = StandardUpdates.requiredSession(service)
      }
      news = inside.news(of: update)
      guard update.stationary else { return .continues }
      if inside.settings.pausesAutomatically {
        ended = end(&inside)
        news.append(.paused)
      }
      return .ended
    }
    ended.carryOut()
    for piece in news { deliver(piece, generation) }
    return progress
  }

  /// Whether an app that wants this accuracy gets the approximate location.
  static func isReduced(_ accuracy: CLLocationAccuracy) -> Bool {
    accuracy >= kCLLocationAccuracyReduced
  }

  /// An accuracy has improved if it is at most this share of the accuracy before.
  ///
  /// The accuracy of a receiver at rest changes by millimeters with each position.
  private static let improvement = 0.9

  /// Whether a location is news for the delegate and passes the distance filter: it is far enough away, or clearly more
  /// accurate.
  ///
  /// The daemon begins a sequence with its last location. The delegate has got it, if the sequence replaces another one.
  static func isDue(
    _ location: CLLocation, after last: CLLocation?, filter: CLLocationDistance
  ) -> Bool {
    guard let last else { return true }
    if isRepeated(location, last) { return false }
    guard filter > 0 else { return true }
    return location.distance(from: last) >= filter
      || location.horizontalAccuracy <= last.horizontalAccuracy * improvement
  }

  /// Whether a location is the last one again; the exact and the approximate location of one time are different.
  private static func isRepeated(_ location: CLLocation, _ last: CLLocation) -> Bool {
    let (here, there) = (location.coordinate, last.coordinate)
    return location.timestamp == last.timestamp
      && here.latitude == there.latitude && here.longitude == there.longitude
      && location.horizontalAccuracy == last.horizontalAccuracy
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
