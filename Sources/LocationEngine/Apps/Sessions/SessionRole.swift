import BinnacleModel

/// The sessions of an app that the daemon distinguishes; several objects of one role are one session.
///
/// The number is the bit of the role in ``SessionsRecord``, and the role's number in ``ProcessSessionsRecord``.
enum SessionRole: UInt8, CaseIterable, Codable, Sendable {
  /// `CLBackgroundActivitySession`.
  case background = 0
  /// `CLServiceSession` without a requirement.
  case serviceNone = 1
  /// `CLServiceSession` for use while the app is in use.
  case serviceWhenInUse = 2
  /// `CLServiceSession` for use at all times.
  case serviceAlways = 3
  /// Standard updates that continue in the background.
  case standardUpdates = 4
  /// A live activity.
  case liveActivity = 5
  /// A background task; it gives no right to locations.
  case backgroundTask = 6

  /// The role of an object; nil for a request, which is not a session.
  init?(_ session: AppSession) {
    switch session {
    case .backgroundActivity: self = .background
    case .service(.none, _): self = .serviceNone
    case .service(.whenInUse, _): self = .serviceWhenInUse
    case .service(.always, _): self = .serviceAlways
    case .standardUpdates: self = .standardUpdates
    case .liveActivity: self = .liveActivity
    case .backgroundTask: self = .backgroundTask
    case .authorizationRequest, .fullAccuracyRequest: return nil
    }
  }

  /// Whether the next process of the app may take the session up.
  var isRejoined: Bool {
    switch self {
    case .background, .serviceNone, .serviceWhenInUse, .serviceAlways: true
    case .standardUpdates, .liveActivity, .backgroundTask: false
    }
  }

  /// Whether the session ends with its process, but goes on in the same process after a restart of the daemon.
  var isOfProcess: Bool {
    switch self {
    case .standardUpdates, .liveActivity: true
    case .background, .serviceNone, .serviceWhenInUse, .serviceAlways, .backgroundTask: false
    }
  }

  /// Whether the session keeps the app in use while it is in the background, and therefore needs authorization.
  var keepsInUse: Bool {
    switch self {
    case .background, .standardUpdates, .liveActivity: true
    case .serviceNone, .serviceWhenInUse, .serviceAlways, .backgroundTask: false
    }
  }

  var isService: Bool {
    switch self {
    case .serviceNone, .serviceWhenInUse, .serviceAlways: true
    case .background, .standardUpdates, .liveActivity, .backgroundTask: false
    }
  }

  /// The name for a person.
  var inWords: String {
    switch self {
    case .background: "background activity session"
    case .serviceNone: "service session"
    case .serviceWhenInUse: "service session (when in use)"
    case .serviceAlways: "service session (always)"
    case .standardUpdates: "session of standard updates"
    case .liveActivity: "live activity"
    case .backgroundTask: "background task"
    }
  }
}
