import BinnaclePosix
import Glibc

/// The launcher's own group in the v2 hierarchy of control groups; the groups of apps are made below it.
///
/// The hierarchy is found in /proc/self/mountinfo, because systems mount it at different places. The corresponding man page
/// is cgroups(7).
public struct ControlGroupPlace: Equatable, Sendable {
  /// The directory of the group.
  public let directory: String

  /// The reason why apps get no control groups.
  public struct Obstacle: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// Finds the launcher's own group, and checks that groups can be made below it.
  ///
  /// - Throws: why not.
  public init() throws(Obstacle) {
    let mounts = (try? Files.read("/proc/self/mountinfo")) ?? []
    let own = ProcessStatus.controlGroup(of: Environment.processID)
    guard
      let found = ControlGroupPlace.directories(
        mounts: String(decoding: mounts, as: UTF8.self), group: own ?? ""
      ).first(where: { Files.exists($0 + "/cgroup.procs") })
    else { throw Obstacle(description: "there is no cgroup v2 hierarchy") }
    try self.init(directory: found)
  }

  /// - Throws: why no group can be made below this one.
  init(directory: String) throws(Obstacle) {
    for path in [directory, directory + "/cgroup.procs"] where access(path, W_OK) != 0 {
      throw Obstacle(description: "\(path) cannot be written to: \(Errno.current)")
    }
    self.directory = directory
  }

  /// The directories that a group may have, by the mounted v2 hierarchies.
  ///
  /// - Parameters:
  ///   - mounts: the text of /proc/self/mountinfo (proc_pid_mountinfo(5)).
  ///   - group: the path of the group as in /proc/PID/cgroup.
  /// - Returns: a directory of each hierarchy that shows the group.
  static func directories(mounts: String, group: String) -> [String] {
    guard group.hasPrefix("/") else { return [] }
    return mounts.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash >= 5, fields.count > dash + 1,
        fields[dash + 1] == "cgroup2"
      else { return nil }
      let root = unescaped(fields[3])
      guard let rest = relative(group, to: root) else { return nil }
      let mountPoint = unescaped(fields[4])
      return rest.isEmpty ? mountPoint : (mountPoint == "/" ? "" : mountPoint) + rest
    }
  }

  /// The part of a group's path below the root of a mount, such as `/a`; empty for the root itself.
  private static func relative(_ group: String, to root: String) -> String? {
    if group == root { return "" }
    if root == "/" { return group }
    return group.hasPrefix(root + "/") ? String(group.dropFirst(root.utf8.count)) : nil
  }

  /// Blanks and other characters in a path are written as `\040`, in octal digits.
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The directories that the groups of an app may have.
  private func paths(for identifier: String) -> [String] {
    (1...9).map { directory + "/app-" + identifier + ($0 == 1 ? "" : "-\($0)") }
  }

  /// Whether a group of an app may have this directory.
  func makes(_ path: String, for identifier: String) -> Bool {
    paths(for: identifier).contains(path)
  }

  /// Makes the group of an app; a name that is in use gets a number.
  ///
  /// A group that another launcher has left is never used again.
  ///
  /// - Throws: the error of the system.
  func makeGroup(of identifier: String) throws(SystemError) -> ControlGroup {
    var failure = Errno.fileExists
    for path in paths(for: identifier) {
      rmdir(path)
      if mkdir(path, 0o755) == 0 { return try ControlGroup(path: path) }
      failure = Errno.current
      guard failure == .fileExists else { break }
    }
    throw SystemError(failure, directory + "/app-" + identifier)
  }
}
