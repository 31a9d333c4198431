/// The user that reads the receiver: the running daemon's, else the service's, else the user of the command.
struct EffectiveUser: Equatable, Sendable {
  enum Origin: Equatable, Sendable {
    case running(processID: Int32)
    case service
    case person
  }

  let origin: Origin
  let userID: UInt32
  let name: String
  /// The present groups of the user.
  let groupIDs: [UInt32]
  /// The groups of the user after the next start or login.
  let laterGroupIDs: [UInt32]
  /// Whether systemd starts the daemon.
  let isOfService: Bool

  init(_ machine: Machine, daemon: ProcessTable.Process?) {
    let users = machine.users
    let added = machine.unit?.groups.compactMap { users.groupID(named: $0) } ?? []
    if let daemon {
      origin = .running(processID: daemon.id)
      userID = daemon.userID
      groupIDs = daemon.groupIDs
      name = users.name(ofUser: userID)
    } else if let unit = machine.unit {
      origin = .service
      // systemd-sysusers will create a missing user; until then an unused number represents the user.
      userID = users.userID(named: unit.user) ?? .max - 1
      name = unit.user
      groupIDs = users.groupIDs(ofUser: unit.user) + added
    } else {
      self = EffectiveUser(person: machine)
      return
    }
    isOfService = machine.unit != nil
    laterGroupIDs = users.groupIDs(ofUser: name) + added
  }

  init(person machine: Machine) {
    origin = .person
    isOfService = false
    userID = machine.processes.own?.userID ?? 0
    groupIDs = machine.processes.own?.groupIDs ?? []
    name = machine.users.name(ofUser: userID)
    laterGroupIDs = machine.users.groupIDs(ofUser: name)
  }

  /// Whether the permission bits allow the user to read and write.
  func mayUse(_ node: Node) -> Bool { isPermitted(0o6, node) }

  /// Whether the permission bits allow the user to read.
  func mayRead(_ node: Node) -> Bool { isPermitted(0o4, node) }

  private func isPermitted(_ wanted: UInt32, _ node: Node) -> Bool {
    if userID == 0 { return true }
    let shift: UInt32 = node.userID == userID ? 6 : groupIDs.contains(node.groupID) ? 3 : 0
    return (node.mode >> shift) & wanted == wanted
  }

  /// The command that adds the user to a group.
  func commandToJoin(_ group: String, id: UInt32) -> String {
    let join = "sudo usermod -aG \(group) \(name)"
    let isMember = laterGroupIDs.contains(id)
    if isOfService {
      let restart = "sudo systemctl restart \(ServiceUnit.name)"
      return isMember ? restart : join + " && " + restart
    }
    let login =
      origin == .person ? "log out and in again" : "log out and in again, and start binnacled again"
    return isMember ? login : join + ", then " + login
  }
}
