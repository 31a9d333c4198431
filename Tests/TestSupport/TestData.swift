import Glibc

/// The recordings that tests measure against; they are kept beside the project, not in it.
public enum TestData {
  /// `BINNACLE_TEST_DATA`, else `../shared/data` seen from the project's root; nil when neither is there.
  public static let directory: String? = {
    let named = getenv("BINNACLE_TEST_DATA").map { String(cString: $0) }
    return [named, packageRoot + "/../shared/data"].compactMap { $0 }
      .first { access($0 + "/ublox/logs", R_OK) == 0 }
  }()

  /// Whether a test that needs recordings runs: they are there, or `BINNACLE_REQUIRE` says that they must be,
  /// so that the test fails by name instead of being skipped.
  public static let isAvailableOrRequired: Bool = {
    let required = getenv("BINNACLE_REQUIRE").map { String(cString: $0) } ?? ""
    return directory != nil || required.split(separator: ",").contains("data")
  }()

  /// The root of the project.
  public static let packageRoot: String = {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  /// The names of the recordings of u-blox receivers, sorted.
  public static func ubloxLogs() throws -> [String] {
    try names(in: "ublox/logs")
  }

  /// The names of the files in a folder below the data directory, sorted.
  public static func names(in folderName: String) throws -> [String] {
    guard let directory else { throw Missing(path: "../shared/data") }
    guard let folder = opendir(directory + "/" + folderName) else {
      throw Missing(path: directory + "/" + folderName)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The bytes of a file below the data directory, such as `ublox/logs/gpsd-neo-m8p.log`.
  public static func bytes(_ path: String) throws -> [UInt8] {
    guard let directory else { throw Missing(path: path) }
    return try contents(ofFile: directory + "/" + path)
  }

  /// The bytes of any file.
  public static func contents(ofFile path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Missing(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  /// A file that a test needs is not there.
  public struct Missing: Error, CustomStringConvertible {
    public let path: String
    public var description: String { "\(path) is not there; see HACKING.md, \"Recordings\"" }
  }
}
