/// The daemon's systemd unit, with its effective options.
struct ServiceUnit: Equatable, Sendable {
  /// `User=`; root if there is none.
  private(set) var user = "root"
  private(set) var groups: [String] = []
  /// The arguments of the daemon's command line, with the options inserted.
  private(set) var words: [String] = []
  /// The paths of `EnvironmentFile=`, in their order.
  private var environmentFiles: [String] = []
  /// `BINNACLE_OPTIONS` from the unit itself, for a machine without a file of options.
  private var ownOptions: [String] = []

  static let name = "binnacled.service"

  /// The file that decides about the options: the last one replaces what those before it assign (systemd.exec(5)).
  var optionsFile: String { environmentFiles.last ?? "/etc/default/binnacle" }

  /// The effective unit: from the first of systemd's directories (systemd.unit(5), "Unit File Load Path").
  init?(of view: any MachineView) {
    let directories = [
      "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
      "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    let files = directories.map { $0 + "/" + ServiceUnit.name }
    guard let file = files.first(where: { view.text(of: $0) != nil }) else { return nil }
    take(view.lines(of: file))
    // Drop-ins of all directories apply, in the order of their names.
    var dropIns: [(name: String, path: String)] = []
    for folder in directories.map({ $0 + "/" + ServiceUnit.name + ".d" }) {
      for name in view.names(in: folder) where name.hasSuffix(".conf") {
        if !dropIns.contains(where: { $0.name == name }) { dropIns.append((name, folder)) }
      }
    }
    for dropIn in dropIns.sorted(by: { $0.name < $1.name }) {
      take(view.lines(of: dropIn.path + "/" + dropIn.name))
    }
    let options =
      environmentFiles.compactMap { ServiceUnit.options(in: $0, of: view) }.last ?? ownOptions
    words = words.flatMap { $0.contains("BINNACLE_OPTIONS") ? options : [$0] }
  }

  /// The argument after an option such as `--board`.
  func value(of option: String) -> String? {
    let process = ProcessTable.Process(id: 0, program: "", words: words, userID: 0, groupIDs: [])
    return process.value(of: option)
  }

  /// The words of `BINNACLE_OPTIONS=` in an environment file; nil if the file has none.
  private static func options(in file: String, of view: any MachineView) -> [String]? {
    view.lines(of: file).compactMap { options(in: trimmed($0)) }.last
  }

  /// The words of an assignment of `BINNACLE_OPTIONS`; quotes surround the whole assignment or only its value.
  private static func options(in assignment: Substring) -> [String]? {
    let text = assignment.drop { "\"'".contains($0) }
    guard text.hasPrefix("BINNACLE_OPTIONS=") else { return nil }
    return text.dropFirst("BINNACLE_OPTIONS=".count)
      .split { " \t\"'".contains($0) }.map { String($0) }
  }

  private mutating func take(_ lines: [Substring]) {
    for line in lines.map(trimmed) {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let value = String(trimmed(line[line.index(after: sign)...]))
      switch line[..<sign] {
      case "User": user = value
      case "SupplementaryGroups":
        // An empty assignment clears the list (systemd.exec(5)).
        groups = value.isEmpty ? [] : groups + value.split(separator: " ").map { String($0) }
      case "ExecStart": words = value.split(separator: " ").map { String($0) }
      case "EnvironmentFile":
        // A minus sign before the path permits that the file is missing. An empty assignment clears the list.
        let path = String(value.drop { $0 == "-" })
        environmentFiles = path.isEmpty ? [] : environmentFiles + [path]
      case "Environment": ownOptions = ServiceUnit.options(in: value[...]) ?? ownOptions
      default: break
      }
    }
  }
}
