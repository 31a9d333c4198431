/// The mounted file systems, from /proc/self/mountinfo (proc_pid_mountinfo(5)).
struct MountTable: Equatable, Sendable {
  struct Mount: Equatable, Sendable {
    var point: String
    var type: String
    var isReadOnly: Bool
    /// The upper directory of an overlay, which receives the writes.
    var upperDirectory: String?
  }

  private var mounts: [Mount] = []

  init(of view: any MachineView) {
    for line in view.lines(of: "/proc/self/mountinfo") {
      let words = line.split(separator: " ")
      // Optional fields end with a dash; type, source and options follow.
      guard let dash = words.firstIndex(of: "-"), dash >= 6, dash + 3 < words.count else {
        continue
      }
      let options = words[5].split(separator: ",")
      let superOptions = words[dash + 3].split(separator: ",")
      let upper = superOptions.first { $0.hasPrefix("upperdir=") }
      mounts.append(
        Mount(
          point: MountTable.plain(words[4]), type: String(words[dash + 1]),
          isReadOnly: options.contains("ro") || superOptions.contains("ro"),
          upperDirectory: upper.map { MountTable.plain($0.dropFirst("upperdir=".count)) }))
    }
  }

  /// The file system of a path; the last one mounted there counts.
  func mount(of path: String) -> Mount? {
    var best: Mount?
    for mount in mounts where MountTable.isInside(path, mount.point) {
      if mount.point.utf8.count >= best?.point.utf8.count ?? 0 { best = mount }
    }
    return best
  }

  private static func isInside(_ path: String, _ point: String) -> Bool {
    point == "/" || path == point || path.hasPrefix(point + "/")
  }

  /// Decodes blanks, tabs, line feeds and backslashes, which are written as three octal digits.
  private static func plain(_ word: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let code = UInt8(digits, radix: 8) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
