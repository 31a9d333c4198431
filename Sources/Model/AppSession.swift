/// An object of an app that holds a right or a request, for as long as the object exists.
public enum AppSession: Equatable, Codable, Sendable {
  /// `CLBackgroundActivitySession`: keeps the app in use while it is in the background.
  case backgroundActivity
  /// `CLServiceSession`: the authorization that the app needs, and the purpose of its full accuracy.
  case service(Requirement, fullAccuracyPurpose: String? = nil)
  /// A request of `CLLocationManager` for an authorization.
  case authorizationRequest(isAlways: Bool)
  /// A request of `CLLocationManager` for full accuracy for a while.
  case fullAccuracyRequest(purpose: String)
  /// Standard updates of `CLLocationManager` that continue in the background.
  case standardUpdates
  /// A live activity: a status of the app, which keeps the app in use while it is in the background.
  case liveActivity(text: String)
  /// A background task: delays the suspension of the app for a while.
  case backgroundTask

  /// `CLServiceSession.AuthorizationRequirement`.
  public enum Requirement: UInt8, CaseIterable, Codable, Sendable {
    case none = 0
    case whenInUse = 1
    case always = 2
  }

  /// Whether the object is a session, and neither a request nor a task.
  public var isSession: Bool {
    switch self {
    case .backgroundActivity, .service, .standardUpdates, .liveActivity: true
    case .authorizationRequest, .fullAccuracyRequest, .backgroundTask: false
    }
  }

  /// The longest purpose, in bytes.
  public static let purposeSizeMax = 100
  /// A purpose without a usage text: a manifest's key of a usage text has letters, digits, "-", "." and "_" only.
  public static let unknownPurpose = "?"
  /// The longest text of a live activity, in bytes.
  public static let activityTextSizeMax = 200

  /// Whether a text can be the purpose of a request: it is not empty, and a message has room for all of it.
  public static func isPurpose(_ text: String) -> Bool {
    (1...purposeSizeMax).contains(text.utf8.count)
  }
}

/// The reasons why a session does not have its full effect, by the names of `CLServiceSession.Diagnostic`.
///
/// The bits are part of the wire protocol and of traces. They are equal to the bits of `Update.Flags` with the same names.
public struct SessionFlags: OptionSet, Codable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  public static let authorizationDenied = SessionFlags(rawValue: 1 << 1)
  public static let authorizationDeniedGlobally = SessionFlags(rawValue: 1 << 2)
  public static let authorizationRestricted = SessionFlags(rawValue: 1 << 3)
  public static let insufficientlyInUse = SessionFlags(rawValue: 1 << 4)
  public static let serviceSessionRequired = SessionFlags(rawValue: 1 << 7)
  public static let authorizationRequestInProgress = SessionFlags(rawValue: 1 << 8)
  public static let fullAccuracyDenied = SessionFlags(rawValue: 1 << 9)
  public static let alwaysAuthorizationDenied = SessionFlags(rawValue: 1 << 10)

  /// All known flags.
  public static let all: SessionFlags = [
    .authorizationDenied, .authorizationDeniedGlobally, .authorizationRestricted,
    .insufficientlyInUse, .serviceSessionRequired, .authorizationRequestInProgress,
    .fullAccuracyDenied, .alwaysAuthorizationDenied,
  ]
}
