/// The users and groups of a machine, from /etc/passwd and /etc/group.
struct UserTable: Equatable, Sendable {
  private struct User: Equatable, Sendable {
    var name: String
    var id: UInt32
    var groupID: UInt32
  }

  private struct Group: Equatable, Sendable {
    var name: String
    var id: UInt32
    var members: [String]
  }

  private var users: [User] = []
  private var groups: [Group] = []

  init(of view: any MachineView) {
    for fields in UserTable.records(view.lines(of: "/etc/passwd")) where fields.count >= 4 {
      guard let id = UInt32(fields[2]), let groupID = UInt32(fields[3]) else { continue }
      users.append(User(name: String(fields[0]), id: id, groupID: groupID))
    }
    for fields in UserTable.records(view.lines(of: "/etc/group")) where fields.count >= 4 {
      guard let id = UInt32(fields[2]) else { continue }
      let members = fields[3].split(separator: ",").map { String($0) }
      groups.append(Group(name: String(fields[0]), id: id, members: members))
    }
  }

  func name(ofUser id: UInt32) -> String { users.first { $0.id == id }?.name ?? "\(id)" }

  func name(ofGroup id: UInt32) -> String? { groups.first { $0.id == id }?.name }

  func userID(named name: String) -> UInt32? { users.first { $0.name == name }?.id }

  func groupID(named name: String) -> UInt32? { groups.first { $0.name == name }?.id }

  /// The groups of a user after the next login.
  func groupIDs(ofUser name: String) -> [UInt32] {
    let own = users.first { $0.name == name }.map { [$0.groupID] } ?? []
    return own + groups.filter { $0.members.contains(name) }.map { $0.id }
  }

  private static func records(_ lines: [Substring]) -> [[Substring]] {
    lines.map { $0.split(separator: ":", omittingEmptySubsequences: false) }
  }
}
