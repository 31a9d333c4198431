import BinnacleModel

/// The programs that run on although a person has allowed a newer file at their path.
///
/// A grant of an app without a manifest is bound to one program file. A process of another file would ask again, and its
/// grant would then end the grant of the newer file. Therefore such a process is denied without a question until it ends,
/// also after a denial and a reset.
struct ReplacedPrograms: Equatable, Codable, Sendable {
  private var programs: [Program] = []

  private struct Program: Equatable, Codable, Sendable {
    let app: AppID
    let file: ProgramFile
  }

  /// Whether processes of this file are denied.
  func contains(_ app: AppID, _ file: ProgramFile?) -> Bool {
    programs.contains { $0.app == app && $0.file == file }
  }

  /// A person has answered for an app, or the answer was removed; a program that had the grant before has lost it to a newer one.
  mutating func answered(
    _ grant: Grant?, after before: Grant?, for app: AppID, _ clients: [AppTable.Client]
  ) {
    guard case .unlisted = app, let grant, grant.authorization.isGiven, let file = grant.file else {
      return
    }
    programs.removeAll { $0.app == app && $0.file == file }
    guard let before, before.authorization.isGiven, let former = before.file, former != file else {
      return
    }
    programs.append(Program(app: app, file: former))
    clientsLeft(clients)
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
