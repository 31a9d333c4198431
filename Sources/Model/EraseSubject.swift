/// What of that which is kept a person wants erased.
public enum EraseSubject: Equatable, Codable, Sendable {
  /// All of those below, and who the receiver was. The switch of location services and the receiver's speed stay.
  case all
  /// The live updates that apps have begun and would take up again.
  case sequences
  /// What apps keep; of one app, by its name in the log, or of all.
  case defaults(app: String?)
  /// The last position.
  case fix
  /// What receivers know of the satellites.
  case database
  /// The counts over the board's life.
  case counters
  /// Where the board was.
  case tracks

  /// The words of the command line; `defaults` may be followed by an app.
  public static let words = [
    "all", "sequences", "defaults", "fix", "database", "counters", "tracks",
  ]

  /// - Returns: nil for a word that is none of ``words``, or an app where none belongs.
  public init?(word: String, app: String? = nil) {
    switch (word, app) {
    case ("defaults", _): self = .defaults(app: app)
    case ("all", nil): self = .all
    case ("sequences", nil): self = .sequences
    case ("fix", nil): self = .fix
    case ("database", nil): self = .database
    case ("counters", nil): self = .counters
    case ("tracks", nil): self = .tracks
    case _: return nil
    }
  }

  /// Its number in messages and traces; never given to another one.
  public var number: UInt8 {
    switch self {
    case .all: 0
    case .sequences: 1
    case .defaults: 2
    case .fix: 3
    case .database: 4
    case .counters: 5
    case .tracks: 6
    }
  }

  /// The app that it is about; nil when it is about none or all.
  public var app: String? {
    if case .defaults(let app) = self { app } else { nil }
  }

  /// From the fields of a message; an empty app is none.
  ///
  /// - Returns: nil for a number without a meaning, or an app where none belongs.
  public init?(number: UInt8, app: String) {
    guard Int(number) < EraseSubject.words.count else { return nil }
    self.init(word: EraseSubject.words[Int(number)], app: app.isEmpty ? nil : app)
  }
}
