/// The identity of a client's app.
///
/// The user is from the kernel and is reliable. The program of the user is information for a person. It separates the
/// programs of one user, but does not protect them from each other.
public enum AppID: Hashable, Codable, Sendable {
  /// An app with a manifest, by the identifier in the manifest.
  case listed(String)
  /// A program without a manifest.
  case unlisted(userID: UInt32, executable: String)
  /// A reader of a door of the board's profile, by the door's name, such as `nmea`.
  case door(String, DoorReader)
  /// An unknown program: it has ended, or the daemon has no permission to inspect it.
  case unresolved(userID: UInt32)
}

extension AppID {
  /// The app as one word of a command line.
  public var shellWord: String { AppID.shellWord("\(self)") }

  /// The name of an app as one word of a command line; a path may contain blanks and quotation marks.
  public static func shellWord(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      ($0 | 32 >= 97 && $0 | 32 <= 122) || (48...57).contains($0) || "-./:_@%+".utf8.contains($0)
    }
    guard !isPlain else { return name }
    // Not characters as people count them: a mark on a quotation mark would hide it, and the word would end there.
    var word = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar == "'" {
        word.append(contentsOf: "'\\''".unicodeScalars)
      } else {
        word.append(scalar)
      }
    }
    return "'\(String(word))'"
  }
}

extension AppID {
  private static let doorPrefix = "door."

  /// The user in the name of an app; nil for an app with a manifest.
  public var userID: UInt32? {
    switch self {
    case .unlisted(let userID, _), .unresolved(let userID), .door(_, .user(let userID)): userID
    case .listed, .door(_, .terminal): nil
    }
  }

  /// Whether the app is a reader of a door.
  public var isDoor: Bool { if case .door = self { true } else { false } }

  /// The reader of a text such as `door.nmea:1000` or `door.nmea:tty`; nil for any other text.
  public init?(doorReader text: String) {
    guard text.hasPrefix(AppID.doorPrefix), let colon = text.firstIndex(of: ":"),
      let reader = DoorReader(String(text[text.index(after: colon)...]))
    else { return nil }
    let name = text[..<colon].dropFirst(AppID.doorPrefix.count)
    if name.isEmpty { return nil }
    self = .door(String(name), reader)
  }
}

extension AppID: CustomStringConvertible {
  /// Text such as `org.example.tracker`, `1000:/usr/bin/tracker`, `door.nmea:1000`, or `1000:unknown executable`.
  public var description: String {
    switch self {
    case .listed(let identifier): identifier
    case .unlisted(let userID, let executable): "\(userID):\(executable)"
    case .door(let name, let reader): "\(AppID.doorPrefix)\(name):\(reader)"
    case .unresolved(let userID): "\(userID):unknown executable"
    }
  }
}
