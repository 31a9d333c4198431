public import BinnacleModel

/// The doors beside that of the client library.
extension Profile {
  /// A door such as `[Door NMEA]`: its transports, and the rights of its readers.
  public struct Door: Equatable, Sendable {
    public let kind: DoorKind
    /// `Terminal`: the symbolic link to a pseudo-terminal; an absolute path, or a name in the runtime directory.
    public var terminal: String?
    /// `Socket`: the path of a local stream socket; an absolute path, or a name in the runtime directory.
    public var socket: String?
    /// `Mode`: the permissions of both.
    public var mode: UInt32 = 0o660
    /// `Group`: the group of both.
    public var group = "binnacle"
    /// `Grant`: the readers that get locations without the answer of an operator.
    public var grants: [Grant] = []

    /// A reader of `Grant`.
    public struct Grant: Equatable, Sendable {
      public var reader: Reader
      /// Whether the reader gets a place of some kilometers in place of the position.
      public var isReduced: Bool

      public init(_ reader: Reader, isReduced: Bool = false) {
        self.reader = reader
        self.isReduced = isReduced
      }

      /// The readers of a word of `Grant`.
      public enum Reader: Equatable, Sendable {
        /// `all`: every reader of the terminal and of the socket.
        case all
        /// `tty`: the readers of the terminal.
        case terminal
        /// The readers of the socket that run as this user, by name or number.
        case user(String)
      }
    }

    public init(_ kind: DoorKind) { self.kind = kind }
  }
}

/// The sections of doors and their keys.
extension Profile {
  static func door(_ kind: DoorKind) -> Section {
    Section(
      name: kind.section,
      keys: [
        Key(name: "Terminal") { (text, draft) throws(Wrong) in
          draft.doors[kind, default: Door(kind)].terminal = try SettingsValue.place(
            text, example: kind.name)
        },
        Key(name: "Socket") { (text, draft) throws(Wrong) in
          draft.doors[kind, default: Door(kind)].socket = try SettingsValue.place(
            text, example: "\(kind.name).sock")
        },
        Key(name: "Mode", usual: "0660") { (text, draft) throws(Wrong) in
          draft.doors[kind, default: Door(kind)].mode = try SettingsValue.fileMode(text)
        },
        Key(name: "Group", usual: "binnacle") { (text, draft) throws(Wrong) in
          draft.doors[kind, default: Door(kind)].group = try SettingsValue.group(text)
        },
        Key(name: "Grant") { (text, draft) throws(Wrong) in
          draft.doors[kind, default: Door(kind)].grants = try SettingsValue.grants(text)
        },
      ])
  }
}
