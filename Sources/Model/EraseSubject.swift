/// The stored records to erase.
public enum EraseSubject: Equatable, Codable, Sendable {
  /// All of the records below, and the identity of the receiver.
  ///
  /// The switch of location services and the receiver's speed stay.
  case all
  /// The open live updates that apps would resume.
  case sequences
  /// The defaults of one app, by its name in the log, or of all apps.
  case defaults(app: String?)
  /// The last position.
  case fix
  /// The receiver's navigation database.
  case database
  /// The counters over the board's life.
  case counters
  /// The tracks.
  case tracks

  /// The words of the command line; an app may follow `defaults`.
  public static let words = [
    "all", "sequences", "defaults", "fix", "database", "counters", "tracks",
  ]

  /// - Returns: nil if the word is not one of ``words``, or if the subject takes no app.
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

  /// The number in messages and traces; a number never gets another meaning.
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

  /// The app; nil if the subject is no app or all apps.
  public var app: String? {
    if case .defaults(let app) = self { app } else { nil }
  }

  /// Makes a subject from the fields of a message; an empty text stands for no app.
  ///
  /// - Returns: nil for an undefined number, or if the subject takes no app.
  public init?(number: UInt8, app: String) {
    guard Int(number) < EraseSubject.words.count else { return nil }
    self.init(word: EraseSubject.words[Int(number)], app: app.isEmpty ? nil : app)
  }
}
