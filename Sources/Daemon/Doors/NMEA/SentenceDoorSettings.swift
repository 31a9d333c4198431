import Board

/// The paths of the door for sentences, and the group that may read there.
struct SentenceDoorSettings: Equatable, Sendable {
  /// The path of the link to the pseudo-terminal; nil: there is no terminal.
  var terminal: String?
  /// The path of the socket; nil: there is no socket.
  var socket: String?
  var mode: UInt32
  /// The name or the number of the group.
  var group: String

  /// - Parameters:
  ///   - door: the section of the profile.
  ///   - runtimeDirectory: the directory for names without a path.
  init(_ door: Profile.SentenceDoor, runtimeDirectory: String) {
    func path(_ place: String) -> String {
      place.hasPrefix("/") ? place : runtimeDirectory + "/" + place
    }
    terminal = door.terminal.map(path)
    socket = door.socket.map(path)
    mode = door.mode
    group = door.group
  }
}
