/// An element of a sequence of live updates: a fix, the reasons for a missing fix, or both.
public struct Update: Equatable, Codable, Sendable {
  /// The position; nil in an update that only explains.
  public var fix: Fix?
  /// All reasons that apply at present (a level, not an edge).
  public var flags: Flags

  public init(fix: Fix?, flags: Flags = []) {
    self.fix = fix
    self.flags = flags
  }

  /// The flags of `CLLocationUpdate`, by Apple's names.
  ///
  /// The bits are part of the wire protocol and of traces: their meaning never changes.
  public struct Flags: OptionSet, Codable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    public static let stationary = Flags(rawValue: 1 << 0)
    public static let authorizationDenied = Flags(rawValue: 1 << 1)
    public static let authorizationDeniedGlobally = Flags(rawValue: 1 << 2)
    public static let authorizationRestricted = Flags(rawValue: 1 << 3)
    public static let insufficientlyInUse = Flags(rawValue: 1 << 4)
    public static let locationUnavailable = Flags(rawValue: 1 << 5)
    public static let accuracyLimited = Flags(rawValue: 1 << 6)
    public static let serviceSessionRequired = Flags(rawValue: 1 << 7)
    public static let authorizationRequestInProgress = Flags(rawValue: 1 << 8)

    /// The reasons for a missing or coarse location, by the names of `CLLocationUpdate`.
    public static let reasons: [(name: String, flag: Flags)] = [
      ("authorizationDenied", .authorizationDenied),
      ("authorizationDeniedGlobally", .authorizationDeniedGlobally),
      ("authorizationRestricted", .authorizationRestricted),
      ("insufficientlyInUse", .insufficientlyInUse),
      ("locationUnavailable", .locationUnavailable),
      ("accuracyLimited", .accuracyLimited),
      ("serviceSessionRequired", .serviceSessionRequired),
      ("authorizationRequestInProgress", .authorizationRequestInProgress),
    ]
  }

  /// Whether the update is more than a plain fix, so that dropping it loses information.
  ///
  /// A full outbox drops plain fixes first; transitions stay.
  public var isTransition: Bool { fix == nil || !flags.isEmpty }
}
