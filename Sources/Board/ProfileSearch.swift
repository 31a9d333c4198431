/// Where profiles are looked for.
public enum ProfileSearch {
  /// The directories that hold profiles, best first.
  ///
  /// - Parameters:
  ///   - configurationDirectory: the value of `--config`; its `boards` comes first.
  ///   - executable: the path of the running program, symbolic links resolved.
  /// - Returns: paths, whether or not they are there.
  public static func directories(
    configurationDirectory: String, executable: String?
  ) -> [String] {
    let beside = executable.map(besideProgram) ?? []
    return [configurationDirectory + "/boards"]
      + beside.filter { $0 != ofSystem } + [ofSystem]
  }

  /// The files that `--board` may mean, best first; the first one that exists is the one.
  ///
  /// - Parameters:
  ///   - board: the value of `--board`: a path when it has a slash or exists as it stands, else a name.
  ///   - directories: those that hold profiles, best first.
  ///   - exists: whether there is a file of this path.
  /// - Returns: never empty; one file when a path was given.
  public static func candidates(
    board: String, directories: [String], exists: (String) -> Bool
  ) -> [String] {
    if board.contains("/") || exists(board) { return [board] }
    return directories.map { $0 + "/" + fileName(of: board) }
  }

  /// The drop-ins of a profile in the order of their names, wherever they are; one of a better directory takes the
  /// place of another of the same name.
  ///
  /// - Parameters:
  ///   - file: the profile.
  ///   - directories: those that hold profiles, best first.
  ///   - names: the names of the files in a directory; empty when the directory is missing.
  /// - Returns: their paths.
  public static func dropIns(
    of file: String, directories: [String], names: (String) -> [String]
  ) -> [String] {
    var found: [(name: String, path: String)] = []
    for directory in dropInDirectories(of: file, directories: directories) {
      for name in names(directory) where name.hasSuffix(".conf") {
        found.removeAll { $0.name == name }
        found.append((name, directory + "/" + name))
      }
    }
    return found.sorted { $0.name < $1.name }.map { $0.path }
  }

  /// The directories that may hold drop-ins of a profile; a file of a later one takes the place of an earlier
  /// one's of the same name.
  ///
  /// - Parameters:
  ///   - file: the profile.
  ///   - directories: those that hold profiles, best first.
  /// - Returns: paths, whether or not they are there.
  public static func dropInDirectories(of file: String, directories: [String]) -> [String] {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    guard let name = parts.last, directories.contains(folder) else { return [file + ".d"] }
    return directories.reversed().map { $0 + "/" + name + ".d" }
  }

  /// The strings of a device tree's `compatible` (Devicetree Specification, 2.2.4: each ends with a zero).
  public static func compatible(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Those of a list of profiles that fit a board best.
  ///
  /// - Parameters:
  ///   - compatible: the strings of the device tree, the most exact one first (Devicetree Specification, 2.3.1).
  ///   - profiles: the profiles, each with the boards that it is made for.
  /// - Returns: the indices of the profiles that know the most exact string that any of them knows.
  public static func fitting(_ compatible: [String], among profiles: [Profile]) -> [Int] {
    for string in compatible {
      let known = profiles.indices.filter { profiles[$0].board.compatible.contains(string) }
      if !known.isEmpty { return known }
    }
    return []
  }

  /// `PREFIX/share/binnacle/boards` of a program in `PREFIX/bin`, and `boards` of the checkout that a program
  /// in its `.build` belongs to.
  private static func besideProgram(_ executable: String) -> [String] {
    let parts = executable.split(separator: "/").dropLast()
    var found: [String] = []
    if parts.last == "bin" || parts.last == "sbin" {
      found.append(path(parts.dropLast()) + "/share/binnacle/boards")
    }
    if let build = parts.lastIndex(of: ".build") {
      found.append(path(parts[..<build]) + "/boards")
    }
    return found
  }

  private static func fileName(of board: String) -> String {
    board.hasSuffix(".conf") ? board : board + ".conf"
  }

  private static func path(_ parts: ArraySlice<Substring>) -> String {
    parts.map { "/" + $0 }.joined()
  }

  private static let ofSystem = "/usr/share/binnacle/boards"
}
