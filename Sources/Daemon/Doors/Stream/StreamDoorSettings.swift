import BinnacleModel
import BinnaclePosix
import Board

/// The paths of a door, and the group that may read there.
struct StreamDoorSettings: Equatable, Sendable {
  let kind: DoorKind
  /// The path of the link to the pseudo-terminal; nil: there is no terminal.
  var terminal: String?
  /// The path of the socket; nil: there is no socket.
  var socket: String?
  var mode: UInt32
  /// The name or the number of the group.
  var group: String
  /// The users of `Grant` that do not exist.
  var unknownUsers: [String]

  /// - Parameters:
  ///   - door: the section of the profile.
  ///   - runtimeDirectory: the directory for names without a path.
  init(_ door: Profile.Door, runtimeDirectory: String) {
    func path(_ place: String) -> String {
      place.hasPrefix("/") ? place : runtimeDirectory + "/" + place
    }
    kind = door.kind
    terminal = door.terminal.map(path)
    socket = door.socket.map(path)
    mode = door.mode
    group = door.group
    unknownUsers = door.grants.compactMap { grant in
      if case .user(let name) = grant.reader, StreamDoorSettings.userID(name) == nil {
        name
      } else {
        nil
      }
    }
  }

  /// The rights of the door's readers, for the engine; a user that does not exist has no grant.
  static func rights(_ door: Profile.Door) -> DoorSettings {
    DoorSettings(
      name: door.kind.name,
      grants: door.grants.compactMap { grant in
        switch grant.reader {
        case .all: .init(nil, isReduced: grant.isReduced)
        case .terminal: .init(.terminal, isReduced: grant.isReduced)
        case .user(let name):
          userID(name).map { .init(.user($0), isReduced: grant.isReduced) }
        }
      })
  }

  /// The number of a user with this name or number.
  static func userID(_ user: String) -> UInt32? { UInt32(user) ?? Users.number(of: user) }
}
