/// The readers of a door that the kernel distinguishes.
public enum DoorReader: Hashable, Codable, Sendable {
  /// The programs at the door's pseudo-terminal; the kernel does not report their users.
  case terminal
  /// The programs of a user at the door's socket.
  case user(UInt32)

  /// The reader of a text such as `tty` or `1000`; nil for any other text.
  public init?(_ text: String) {
    if text == "tty" {
      self = .terminal
    } else if let userID = UInt32(text), "\(userID)" == text {
      self = .user(userID)
    } else {
      return nil
    }
  }
}

extension DoorReader: CustomStringConvertible {
  public var description: String {
    switch self {
    case .terminal: "tty"
    case .user(let userID): "\(userID)"
    }
  }
}
