public import BinnaclePosix
public import Board

/// The files of board profiles: finds a profile by name or by the device tree and reads it with its drop-ins.
public struct BoardFiles {
  private let directories: [String]
  private let deviceTree: String

  /// A profile and the files that it was read from, in reading order.
  public struct Found {
    public let profile: Profile
    public let files: [String]
    /// All settings with their sources.
    public let settings: [EffectiveSetting]
  }

  /// The reason why there is no profile.
  public enum Failure: Error {
    /// No profile has this name, or not exactly one profile fits the board.
    case notFound(String)
    case unreadable(SystemError)
    case wrong(SettingsError)
  }

  /// - Parameters:
  ///   - configurationDirectory: the directory with the administrator's profiles in `boards`.
  ///   - executable: the path of the running program without symbolic links.
  ///   - deviceTree: the kernel's directory of the device tree.
  public init(
    configurationDirectory: String = "/etc/binnacle",
    executable: String? = Environment.executablePath, deviceTree: String = "/proc/device-tree"
  ) {
    directories = ProfileSearch.directories(
      configurationDirectory: configurationDirectory, executable: executable)
    self.deviceTree = deviceTree
  }

  /// Reads the profile for the argument of `--board`: a file, a name, or `auto`.
  public func profile(of board: String) throws(Failure) -> Found {
    if board == "auto" { return try fitting() }
    let candidates = ProfileSearch.candidates(
      board: board, directories: directories, exists: BoardFiles.isFile)
    guard let file = candidates.first(where: BoardFiles.isFile) else {
      throw .notFound(
        "\(board): there is no such profile; looked for \(candidates.joined(separator: ", "))")
    }
    return try read(file)
  }

  /// The names of all profiles; a profile in an earlier directory replaces profiles of the same name.
  public var names: [String] {
    files.map { String(BoardFiles.name(of: $0).dropLast(".conf".count)) }
  }

  // MARK: By the device tree

  private func fitting() throws(Failure) -> Found {
    let strings = try compatible()
    var read: [Found] = []
    var damaged: [SettingsError] = []
    for file in files {
      do throws(Failure) {
        read.append(try self.read(file))
      } catch .wrong(let error) {
        damaged.append(error)
      }
    }
    let fitting = ProfileSearch.fitting(strings, among: read.map { $0.profile }).map { read[$0] }
    if fitting.count == 1 { return fitting[0] }
    let board = strings.joined(separator: " ")
    if fitting.count > 1 {
      let list = fitting.map { $0.files[0] }.joined(separator: ", ")
      throw .notFound("several profiles fit this board (\(board)): \(list); choose by --board FILE")
    }
    if let first = damaged.first { throw .wrong(first) }
    throw .notFound(
      "no profile fits this board (\(board)); --board NAME takes one of \(names.joined(separator: " ")), "
        + "or write your own with Compatible= and one of these strings")
  }

  private func compatible() throws(Failure) -> [String] {
    let path = deviceTree + "/compatible"
    do throws(SystemError) {
      return ProfileSearch.compatible(try Files.read(path))
    } catch {
      if error.errno != .noSuchFile { throw .unreadable(error) }
      throw .notFound(
        "this machine has no device tree (\(path)), so --board auto cannot know it; --board NAME takes one "
          + "of \(names.joined(separator: " ")), such as generic-usb for a receiver at USB")
    }
  }

  /// All profiles, except those that a profile in an earlier directory replaces.
  private var files: [String] {
    var found: [String] = []
    for directory in directories {
      for name in (try? Files.list(directory)) ?? [] where name.hasSuffix(".conf") {
        let file = directory + "/" + name
        let isHidden = found.contains { BoardFiles.name(of: $0) == name }
        if !isHidden, BoardFiles.isFile(file) { found.append(file) }
      }
    }
    return found.sorted { BoardFiles.name(of: $0) < BoardFiles.name(of: $1) }
  }

  // MARK: Reading

  private func read(_ file: String) throws(Failure) -> Found {
    var read: [SettingsFile] = []
    let dropIns = try dropIns(of: file)
    for path in [file] + dropIns {
      do throws(SystemError) {
        read.append(SettingsFile(path: path, bytes: try Files.read(path)))
      } catch {
        throw .unreadable(error)
      }
    }
    do throws(SettingsError) {
      return Found(
        profile: try Profile(parsing: read), files: read.map { $0.path },
        settings: Profile.effectiveSettings(of: read))
    } catch {
      throw .wrong(error)
    }
  }

  /// The drop-ins of a profile, in reading order.
  ///
  /// Without a directory there are none. A directory that cannot be listed, or another file in its place, is an error:
  /// settings of the administrator would be ignored.
  private func dropIns(of file: String) throws(Failure) -> [String] {
    var names: [String: [String]] = [:]
    for directory in ProfileSearch.dropInDirectories(of: file, directories: directories) {
      do throws(SystemError) {
        names[directory] = try Files.list(directory)
      } catch {
        guard let status = try? Files.status(of: directory) else { continue }
        if status.kind == .directory { throw .unreadable(error) }
        throw .unreadable(
          SystemError(
            .notADirectory,
            description: "\(directory): it is \(status.kind.inWords), not a directory of drop-ins"))
      }
    }
    return ProfileSearch.dropIns(of: file, directories: directories, names: { names[$0] ?? [] })
  }

  private static func isFile(_ path: String) -> Bool {
    guard let kind = try? Files.status(of: path).kind else { return false }
    return kind != .directory
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }
}
