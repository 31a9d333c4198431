import BinnaclePosix
public import Board

/// The manifest files of apps, each with its drop-ins.
public enum AppFiles {
  /// Reads `apps.d/*.app` of a configuration directory.
  ///
  /// - Parameter configurationDirectory: the directory that contains `apps.d`; without `apps.d` there are no apps.
  /// - Returns: the apps, and the mistakes in ignored files.
  public static func shelf(configurationDirectory: String) -> AppShelf {
    var shelf = AppShelf()
    let directory = configurationDirectory + "/apps.d"
    for name in list(directory, suffix: ".app", into: &shelf) {
      let file = directory + "/" + name
      let dropIns = list(file + ".d", suffix: ".conf", into: &shelf).map { file + ".d/" + $0 }
      if let files = read([file] + dropIns, into: &shelf) { shelf.take(files) }
    }
    return shelf
  }

  private static func list(_ directory: String, suffix: String, into shelf: inout AppShelf)
    -> [String]
  {
    do throws(SystemError) {
      return try Files.list(directory).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
    } catch {
      if error.errno != .noSuchFile { shelf.refuse(directory, "cannot be read: \(error.errno)") }
      return []
    }
  }

  /// All files, or nil if a file cannot be read.
  private static func read(_ paths: [String], into shelf: inout AppShelf) -> [SettingsFile]? {
    var files: [SettingsFile] = []
    for path in paths {
      do throws(SystemError) {
        files.append(SettingsFile(path: path, bytes: try Files.read(path)))
      } catch {
        let isFile = ![.invalidArgument, .isADirectory].contains(error.errno)
        shelf.refuse(path, isFile ? "cannot be read: \(error.errno)" : "is not a regular file")
        return nil
      }
    }
    return files
  }
}
