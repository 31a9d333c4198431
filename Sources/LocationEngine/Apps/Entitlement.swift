import BinnacleModel

/// The rights of an app at an instant, and the reasons for a refusal.
struct Entitlement: Equatable, Codable, Sendable {
  /// The reasons why the app gets no locations; empty if it gets locations.
  var obstacles: Obstacles
  /// Whether a person has allowed locations for the app, or the app needs no answer.
  var isAuthorized: Bool
  /// The right by which the app gets locations; nil without a right.
  var right: UseRight?
  /// Whether locations wait until the indicator is lit; the app is not informed of this moment.
  var isWithheld = false
  /// Whether the app gets the cell of a grid in place of its position.
  var isReduced = false
  /// Whether the updates are of the tool of an operator within an app of a manifest, and not of the app.
  var isOfTool = false

  struct Obstacles: OptionSet, Codable, Sendable {
    let rawValue: UInt8

    /// Location services are off for the whole board.
    static let servicesOff = Obstacles(rawValue: 1 << 0)
    /// A person has denied locations, or the app cannot ask for them.
    static let denied = Obstacles(rawValue: 1 << 1)
    /// The board's profile forbids locations for the app.
    static let restricted = Obstacles(rawValue: 1 << 2)
    /// A person has not answered the app's request yet.
    static let requestInProgress = Obstacles(rawValue: 1 << 3)
    /// The app is in the background, and has no right to locations there.
    static let insufficientlyInUse = Obstacles(rawValue: 1 << 4)
    /// The app must hold a service session, and holds none.
    static let serviceSessionRequired = Obstacles(rawValue: 1 << 5)

    /// The reasons for `binnacle status`.
    var inWords: String {
      if contains(.servicesOff) { return "location services are off" }
      if contains(.restricted) { return "restricted by the board's profile" }
      if contains(.serviceSessionRequired) { return "needs a service session, and holds none" }
      if contains(.requestInProgress) { return "waits for a person's answer" }
      return contains(.insufficientlyInUse) ? "in the background, and not in use" : "denied"
    }
  }

  /// Whether the app gets locations.
  var isGranted: Bool { obstacles.isEmpty }

  /// Whether a location may be delivered now.
  var permitsDelivery: Bool { isGranted && !isWithheld }

  /// Whether the app takes up outstanding updates with such a sequence, and the sequence stays outstanding while the app is away.
  ///
  /// Updates stay outstanding while services are off, because the app gets locations again when services are turned on.
  func keepsUpdates(_ options: SequenceOptions) -> Bool {
    isAuthorized && !isOfTool && !options.contains(.search)
  }

  /// The update that informs an app why it gets no locations.
  var refusal: Update { Update(fix: nil, flags: flags) }

  private var flags: Update.Flags {
    var flags: Update.Flags = []
    if obstacles.contains(.servicesOff) {
      flags.insert([.authorizationDenied, .authorizationDeniedGlobally])
    }
    if obstacles.contains(.denied) { flags.insert(.authorizationDenied) }
    if obstacles.contains(.restricted) { flags.insert(.authorizationRestricted) }
    if obstacles.contains(.requestInProgress) { flags.insert(.authorizationRequestInProgress) }
    if obstacles.contains(.serviceSessionRequired) { flags.insert(.serviceSessionRequired) }
    if obstacles.contains(.insufficientlyInUse) { flags.insert(.insufficientlyInUse) }
    return flags
  }
}
