/// The doors beside that of the client library.
extension Profile {
  /// `[Door NMEA]`: sentences of NMEA 0183 for programs that read a receiver, such as gpsd and GeoClue.
  public struct SentenceDoor: Equatable, Sendable {
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

    public init() {}
  }
}

/// The sections of doors and their keys.
extension Profile {
  static var sentenceDoor: Section {
    Section(
      name: "Door NMEA",
      keys: [
        Key(name: "Terminal") { (text, draft) throws(Wrong) in
          draft.sentenceDoor.terminal = try SettingsValue.place(text, example: "nmea")
        },
        Key(name: "Socket") { (text, draft) throws(Wrong) in
          draft.sentenceDoor.socket = try SettingsValue.place(text, example: "nmea.sock")
        },
        Key(name: "Mode", usual: "0660") { (text, draft) throws(Wrong) in
          draft.sentenceDoor.mode = try SettingsValue.fileMode(text)
        },
        Key(name: "Group", usual: "binnacle") { (text, draft) throws(Wrong) in
          draft.sentenceDoor.group = try SettingsValue.group(text)
        },
        Key(name: "Grant") { (text, draft) throws(Wrong) in
          draft.sentenceDoor.grants = try SettingsValue.grants(text)
        },
      ])
  }
}
