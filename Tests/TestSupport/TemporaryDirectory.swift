import Glibc

/// A directory of its own for a test; gone when the test lets go of it.
public final class TemporaryDirectory: Sendable {
  public let path: String

  /// - Parameter inMemory: whether it is on a file system in memory, where there is one that may be used.
  /// - Throws: when none can be made.
  public init(inMemory: Bool = false) throws {
    let place = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(place)/binnacle-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestData.Missing(path: place) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    TemporaryDirectory.remove(path)
  }

  /// The path of something in it.
  public func callAsFunction(_ name: String) -> String {
    path + "/" + name
  }

  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    guard let directory = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    closedir(directory)
    for name in names { remove(path + "/" + name) }
    rmdir(path)
  }
}
