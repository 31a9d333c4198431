import BinnacleBasics
import Board

/// Checks the board's profile: it is selected, exists, is correct, and fits this board.
extension Examination {
  mutating func examineProfile() {
    let shelf = ProfileShelf(
      machine.view,
      configurationDirectory: option("--config", asked: inquiry.configurationDirectory)
        ?? "/etc/binnacle",
      executable: inquiry.executable)
    guard let board = option("--board", asked: inquiry.board) else {
      takeUnnamed(shelf)
      return
    }
    if board == "auto" {
      takeAutomatic(shelf)
      return
    }
    switch shelf.profile(named: board) {
    case .missing(let looked): complainOfMissing(board, looked: looked, shelf)
    case .refused(let file):
      findings.append(
        .fault(
          .profileMissing, file, "may not be read by user \(servant.name)",
          mend: "sudo chmod a+r \(file)"))
    case .unfit(let path, let text): complainOfUnfit(path, text)
    case .damaged(let error): complainOfDamage(error)
    case .profile(let found):
      profile = found
      complainOfOtherBoard(board, found, shelf)
    }
  }

  /// Reports a board without a selected profile.
  private mutating func takeUnnamed(_ shelf: ProfileShelf) {
    let fitting = shelf.fitting(machine.compatible)
    // A receiver on the command line needs no profile.
    if option("--receiver", asked: inquiry.receiver) != nil {
      profile = Profile()
      return
    }
    guard let first = fitting.first else {
      if machine.compatible.isEmpty { return }
      findings.append(
        .note(
          .profileNotNamed, machine.name,
          "no profile is named, and no profile lists this board in Compatible=",
          mend: shelf.advice))
      return
    }
    profile = shelf.found(first)
    findings.append(
      .fault(
        .profileNotNamed, machine.name,
        "the daemon has no profile and no receiver; \(first) fits this board",
        mend: commandToName(first)))
  }

  private mutating func takeAutomatic(_ shelf: ProfileShelf) {
    // The daemon reads all profiles, and refuses to start because of any of these.
    for (path, text) in shelf.unfit { complainOfUnfit(path, text) }
    let fitting = shelf.fitting(machine.compatible)
    if fitting.count > 1 {
      findings.append(
        .fault(
          .profileWrong, "--board auto",
          "several profiles fit this board: \(fitting.joined(separator: ", "))",
          mend: commandToName(fitting[0])))
    }
    guard let first = fitting.first else {
      for error in shelf.damaged { complainOfDamage(error) }
      let known = machine.compatible.joined(separator: " ")
      findings.append(
        .fault(
          .profileMissing, "--board auto",
          machine.compatible.isEmpty
            ? "this machine has no device tree that names the board"
            : "no profile has Compatible= with one of \(known)",
          mend: shelf.advice))
      return
    }
    profile = shelf.found(first)
  }

  private mutating func complainOfMissing(
    _ board: String, looked: [String], _ shelf: ProfileShelf
  ) {
    let meant =
      Spelling.nearest(to: board, among: shelf.names) ?? shelf.fitting(machine.compatible).first
    findings.append(
      .fault(
        .profileMissing, board,
        "there is no such profile; looked for \(looked.joined(separator: ", "))",
        mend: meant.map { commandToName($0) } ?? shelf.advice))
  }

  private mutating func complainOfDamage(_ error: SettingsError) {
    for complaint in error.complaints {
      let key = complaint.key.isEmpty ? "" : complaint.key + ": "
      findings.append(
        .fault(
          .profileDamaged, complaint.place, key + complaint.text, mend: complaint.editing))
    }
  }

  private mutating func complainOfUnfit(_ path: String, _ text: String) {
    findings.append(.fault(.profileDamaged, path, text, mend: "sudo mv \(path) \(path).off"))
  }

  /// Reports a profile that is only for other boards.
  private mutating func complainOfOtherBoard(
    _ board: String, _ found: Profile, _ shelf: ProfileShelf
  ) {
    let wanted = found.board.compatible
    if wanted.isEmpty || machine.compatible.contains(where: wanted.contains) { return }
    if machine.compatible.isEmpty, case .simulated = found.board.lines { return }
    let better = shelf.fitting(machine.compatible).first
    findings.append(
      .fault(
        .profileWrong, board,
        "it is for \(found.board.name ?? wanted.joined(separator: " ")), this is \(machine.name)",
        mend: better.map { commandToName($0) } ?? shelf.advice))
  }

  /// The command that selects the board for the daemon.
  private func commandToName(_ board: String) -> String {
    guard let unit = machine.unit, inquiry.board == nil else { return "--board \(board)" }
    return "echo 'BINNACLE_OPTIONS=--board \(board)' | sudo tee \(unit.optionsFile) && "
      + "sudo systemctl restart \(ServiceUnit.name)"
  }
}
