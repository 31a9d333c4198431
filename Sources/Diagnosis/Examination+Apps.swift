import Board

/// Checks the manifests of apps: they are readable and correct, and their programs and users exist.
extension Examination {
  mutating func examineApps() {
    let configuration =
      option("--config", asked: inquiry.configurationDirectory) ?? "/etc/binnacle"
    let directory = configuration + "/apps.d"
    var shelf = AppShelf()
    for name in view.names(in: directory).filter({ $0.hasSuffix(".app") && !$0.hasPrefix(".") }) {
      let file = directory + "/" + name
      let dropIns = view.names(in: file + ".d")
        .filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
        .map { file + ".d/" + $0 }
      guard let files = read([file] + dropIns) else { continue }
      let count = shelf.apps.count
      shelf.take(files)
      if shelf.apps.count > count { complainOfAbsence(shelf.apps[count], file: file) }
    }
    for complaint in shelf.complaints {
      let key = complaint.key.isEmpty ? "" : complaint.key + ": "
      findings.append(
        .fault(
          .appDamaged, complaint.place, key + complaint.text, mend: complaint.editing))
    }
  }

  /// All files; nil if the daemon may not read one of them.
  private mutating func read(_ paths: [String]) -> [SettingsFile]? {
    var files: [SettingsFile] = []
    for path in paths {
      if let node = view.node(at: path), !servant.mayRead(node) {
        findings.append(
          .fault(
            .appDamaged, path, "may not be read by user \(servant.name)",
            mend: "sudo chmod a+r \(path)"))
        return nil
      }
      // A file that only the user of the command may not read is readable for the daemon.
      guard case .bytes(let bytes) = view.contents(of: path) else { return nil }
      files.append(SettingsFile(path: path, bytes: bytes))
    }
    return files
  }

  /// A missing program or user is a note, not a fault: a manifest may be installed before its program.
  private mutating func complainOfAbsence(_ app: AppManifest, file: String) {
    if !view.exists(app.executable) {
      findings.append(
        .note(
          .appAbsent, file, "the program of \(app.identifier) is not there: \(app.executable)",
          mend: "install it, or: sudoedit \(file)"))
    }
    if UInt32(app.user) == nil, machine.users.userID(named: app.user) == nil {
      findings.append(
        .note(
          .appAbsent, file, "the user of \(app.identifier) does not exist: \(app.user)",
          mend: "sudo useradd --system \(app.user), or: sudoedit \(file)"))
    }
  }
}
