/// The daemon's unit of systemd, with what its options come to.
struct ServiceUnit: Equatable, Sendable {
  /// `User=`; root where there is none.
  private(set) var user = "root"
  private(set) var groups: [String] = []
  /// The words of the daemon's command line, the options of /etc/default/binnacle in their place.
  private(set) var words: [String] = []

  static let name = "binnacled.service"
  /// Where the options are written for the unit.
  static let optionsFile = "/etc/default/binnacle"

  /// The unit that systemd takes: the first of its directories (systemd.unit(5), "Unit File Load Path").
  init?(of view: any MachineView) {
    let directories = [
      "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
      "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    let files = directories.map { $0 + "/" + ServiceUnit.name }
    guard let file = files.first(where: { view.text(of: $0) != nil }) else { return nil }
    take(view.lines(of: file))
    // Drop-ins of all directories are taken, in the order of their names.
    var dropIns: [(name: String, path: String)] = []
    for folder in directories.map({ $0 + "/" + ServiceUnit.name + ".d" }) {
      for name in view.names(in: folder) where name.hasSuffix(".conf") {
        if !dropIns.contains(where: { $0.name == name }) { dropIns.append((name, folder)) }
      }
    }
    for dropIn in dropIns.sorted(by: { $0.name < $1.name }) {
      take(view.lines(of: dropIn.path + "/" + dropIn.name))
    }
    let options = ServiceUnit.options(in: view)
    words = words.flatMap { $0.contains("BINNACLE_OPTIONS") ? options : [$0] }
  }

  /// What follows an option such as `--board`.
  func value(of option: String) -> String? {
    let process = ProcessTable.Process(id: 0, program: "", words: words, userID: 0, groupIDs: [])
    return process.value(of: option)
  }

  /// The words of `BINNACLE_OPTIONS=` in the unit's environment file.
  static func options(in view: any MachineView) -> [String] {
    var options: [String] = []
    for line in view.lines(of: optionsFile).map(trimmed) where line.hasPrefix("BINNACLE_OPTIONS=") {
      let value = line.dropFirst("BINNACLE_OPTIONS=".count)
      options = value.split { " \t\"'".contains($0) }.map { String($0) }
    }
    return options
  }

  private mutating func take(_ lines: [Substring]) {
    for line in lines.map(trimmed) {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let value = String(trimmed(line[line.index(after: sign)...]))
      switch line[..<sign] {
      case "User": user = value
      case "SupplementaryGroups":
        // An empty assignment empties the list (systemd.exec(5)).
        groups = value.isEmpty ? [] : groups + value.split(separator: " ").map { String($0) }
      case "ExecStart": words = value.split(separator: " ").map { String($0) }
      default: break
      }
    }
  }
}
