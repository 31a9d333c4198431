/// Where a profile is looked for.
public enum ProfileSearch {
  /// The files that `--board` may mean, best first; the first one that exists is the one.
  ///
  /// - Parameters:
  ///   - board: what was given: a path when it has a slash or exists as it stands, else a name.
  ///   - configurationDirectory: what `--config` said; its `boards` comes first.
  ///   - executable: the path of the running program, symbolic links resolved.
  ///   - exists: whether there is a file of this path.
  /// - Returns: never empty; one file when a path was given.
  public static func candidates(
    board: String, configurationDirectory: String, executable: String?,
    exists: (String) -> Bool
  ) -> [String] {
    if board.contains("/") || exists(board) { return [board] }
    let name = board.hasSuffix(".conf") ? board : board + ".conf"
    var directories = [configurationDirectory + "/boards"]
    if let executable {
      directories += besideProgram(executable)
    }
    directories.append("/usr/share/binnacle/boards")
    return directories.map { $0 + "/" + name }
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

  private static func path(_ parts: ArraySlice<Substring>) -> String {
    parts.map { "/" + $0 }.joined()
  }
}
