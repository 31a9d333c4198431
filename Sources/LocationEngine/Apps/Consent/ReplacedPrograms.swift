import BinnacleModel

/// The programs that run on although a person has allowed a newer file at their path.
///
/// A grant of an app without a manifest is bound to one program file. A process of another file would ask again, and its
/// grant would then end the grant of the newer file. Therefore such a process is denied without a question until it ends.
struct ReplacedPrograms: Equatable, Codable, Sendable {
  private var programs: [Program] = []

  private struct Program: Equatable, Codable, Sendable {
    let app: AppID
    let file: ProgramFile?
  }

  /// Whether processes of this file are denied.
  func contains(_ app: AppID, _ file: ProgramFile?) -> Bool {
    programs.contains(Program(app: app, file: file))
  }

  /// A person has answered for an app, or the answer was removed.
  mutating func answered(_ grant: Grant?, for app: AppID, _ clients: [AppTable.Client]) {
    programs.removeAll { $0.app == app }
    guard case .unlisted = app, let grant, grant.authorization.isGiven, !grant.fitsNoFile,
      let file = grant.file
    else { return }
    for client in clients where client.peer.app == app && client.peer.file != file {
      let program = Program(app: app, file: client.peer.file)
      if !programs.contains(program) { programs.append(program) }
    }
  }

  /// A client has left: a program without a process may ask after its next start.
  mutating func clientsLeft(_ clients: [AppTable.Client]) {
    programs.removeAll { program in
      !clients.contains { $0.peer.app == program.app && $0.peer.file == program.file }
    }
  }

  /// All answers were erased.
  mutating func removeAll() { programs = [] }
}
