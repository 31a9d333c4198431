import Board

/// The profiles of a machine.
struct ProfileShelf {
  private let view: any MachineView
  private let directories: [String]
  /// The valid values of `--board`, sorted.
  let names: [String]

  enum Outcome {
    case profile(Profile)
    case missing(looked: [String])
    case refused(file: String)
    /// The entry at the path is not the file or directory that a profile has there.
    case unfit(path: String, text: String)
    case damaged(SettingsError)
  }

  init(_ view: any MachineView, configurationDirectory: String, executable: String?) {
    self.view = view
    let directories = ProfileSearch.directories(
      configurationDirectory: configurationDirectory, executable: executable)
    self.directories = directories
    var names: [String] = []
    for file in directories.flatMap({ view.names(in: $0) }) where file.hasSuffix(".conf") {
      let name = String(file.dropLast(".conf".count))
      if !names.contains(name) { names.append(name) }
    }
    self.names = names.sorted()
  }

  /// The advice if none of the profiles fits.
  var advice: String {
    let filled = directories.filter { !view.names(in: $0).isEmpty }
    return
      "name another with --board ('ls \(filled.joined(separator: " "))' lists them), or a file of your own"
  }

  func profile(named board: String) -> Outcome {
    let isFile: (String) -> Bool = { path in
      guard let node = view.node(at: path) else { return false }
      return node.kind != .directory
    }
    let candidates = ProfileSearch.candidates(
      board: board, directories: directories, exists: isFile)
    guard let file = candidates.first(where: isFile) else {
      return .missing(looked: candidates)
    }
    for directory in ProfileSearch.dropInDirectories(of: file, directories: directories) {
      if let node = view.node(at: directory), node.kind != .directory {
        return .unfit(path: directory, text: "is not a directory, so that it holds no drop-ins")
      }
    }
    let dropIns = ProfileSearch.dropIns(
      of: file, directories: directories, names: { view.names(in: $0) })
    var files: [SettingsFile] = []
    for path in [file] + dropIns {
      switch view.contents(of: path) {
      case .bytes(let bytes): files.append(SettingsFile(path: path, bytes: bytes))
      case .missing where view.node(at: path)?.kind != .file:
        return .unfit(path: path, text: "is not a regular file")
      case .missing, .refused: return .refused(file: path)
      }
    }
    do throws(SettingsError) {
      return .profile(try Profile(parsing: files))
    } catch {
      return .damaged(error)
    }
  }

  /// The profile of this name; nil if it is missing or damaged.
  func found(_ name: String) -> Profile? {
    guard case .profile(let profile) = profile(named: name) else { return nil }
    return profile
  }

  /// The faults of the unusable profiles.
  var damaged: [SettingsError] {
    names.compactMap { name in
      guard case .damaged(let error) = profile(named: name) else { return nil }
      return error
    }
  }

  /// The wrong entries in the places of files and directories of the profiles, each once.
  var unfit: [(path: String, text: String)] {
    var found: [(path: String, text: String)] = []
    for name in names {
      guard case .unfit(let path, let text) = profile(named: name) else { continue }
      if !found.contains(where: { $0.path == path }) { found.append((path, text)) }
    }
    return found
  }

  /// The names of the profiles that fit a board best.
  func fitting(_ compatible: [String]) -> [String] {
    let readable = names.compactMap { name in found(name).map { (name: name, profile: $0) } }
    return ProfileSearch.fitting(compatible, among: readable.map { $0.profile })
      .map { readable[$0].name }
  }
}
