import BinnacleBasics
import BinnacleModel

/// The app of the manifests that is in the foreground: one app, or none.
///
/// An app that leaves the foreground counts as in use for `BackgroundGrace`. The place of an app whose process has ended
/// is kept for `RejoinWindow`, so that an app that loses its connection for a moment does not change its state. Another app
/// that a person starts at a terminal takes the place meanwhile.
struct ForegroundMachine: Equatable, Codable, Sendable {
  private(set) var app: AppID?
  /// The last app in the foreground, which HOME brings back.
  private(set) var last: AppID?
  /// Apps that have left the foreground, and when.
  private var graces: [Grace] = []
  /// Until when the place of an app without a process is kept.
  private var keptUntil: Instant?
  /// `BackgroundGrace`: how long an app counts as in use after it has left the foreground.
  var grace: Interval
  private let window: Interval

  private struct Grace: Equatable, Codable, Sendable {
    let app: AppID
    let beginning: Instant
  }

  /// - Parameters:
  ///   - grace: `BackgroundGrace`.
  ///   - window: `RejoinWindow`.
  init(grace: Interval, window: Interval) {
    self.grace = grace
    self.window = window
  }

  /// Whether an app has left the foreground a short time ago.
  func isInGrace(_ app: AppID) -> Bool { graces.contains { $0.app == app } }

  var hasGraces: Bool { !graces.isEmpty }

  // MARK: Inputs

  /// The last app of an earlier run is known.
  mutating func recalled(_ app: AppID) { last = last ?? app }

  /// The last app is forgotten, unless it is in the foreground.
  mutating func forgetLast() { last = app }

  /// A process of a listed app has connected.
  mutating func connected(_ app: AppID, hasTerminal: Bool) {
    if self.app == app { keptUntil = nil }
    if hasTerminal, self.app == nil || keptUntil != nil { bring(app) }
  }

  /// The last process of an app has disconnected.
  mutating func ended(_ app: AppID, at now: Instant) {
    graces.removeAll { $0.app == app }
    if self.app == app { keptUntil = now + window }
  }

  /// A person has closed an app.
  mutating func quit(_ app: AppID) {
    graces.removeAll { $0.app == app }
    if self.app == app { (self.app, keptUntil) = (nil, nil) }
  }

  /// Brings an app to the foreground in place of the present one.
  mutating func bring(_ app: AppID, at now: Instant) {
    guard self.app != app else { return }
    sendAway(at: now)
    bring(app)
  }

  private mutating func bring(_ app: AppID) {
    graces.removeAll { $0.app == app }
    (self.app, last, keptUntil) = (app, app, nil)
  }

  /// Moves the app in the foreground to the background.
  mutating func sendAway(at now: Instant) {
    guard let app else { return }
    // An app without a process is not in use.
    if keptUntil == nil { graces.append(Grace(app: app, beginning: now)) }
    (self.app, keptUntil) = (nil, nil)
  }

  /// The manifests have changed: an app without a manifest leaves the foreground.
  mutating func declared(_ isDeclared: (AppID) -> Bool) {
    graces.removeAll { !isDeclared($0.app) }
    if let app, !isDeclared(app) { (self.app, keptUntil) = (nil, nil) }
    if let last, !isDeclared(last) { self.last = nil }
  }

  /// Ends the times that have passed; returns whether an app has lost its state.
  mutating func lapse(at now: Instant) -> Bool {
    guard let due = nextDeadline, due <= now else { return false }
    graces.removeAll { $0.beginning + grace <= now }
    if let end = keptUntil, end <= now { (app, keptUntil) = (nil, nil) }
    return true
  }

  var nextDeadline: Instant? {
    graces.reduce(keptUntil) { earlier($0, $1.beginning + grace) }
  }
}
