/// The processes of a machine, from /proc, except those in containers.
///
/// Containers have their own names of devices, directories and users.
struct ProcessTable: Equatable, Sendable {
  struct Process: Equatable, Sendable {
    var id: Int32
    var program: String
    /// The arguments of the process; the kernel shows them to all users.
    var words: [String]
    var userID: UInt32
    var groupIDs: [UInt32]
    /// The number of PID namespaces with a number of the process.
    ///
    /// A process in a container of this machine has a larger number than this program.
    var namespaceDepth = 1

    /// The argument after an option such as `--board`.
    func value(of option: String) -> String? {
      if let index = words.firstIndex(of: option), index + 1 < words.count {
        return words[index + 1]
      }
      let joined = words.first { $0.hasPrefix(option + "=") }
      return joined.map { String($0.dropFirst(option.count + 1)) }
    }
  }

  let all: [Process]
  /// The process of this program.
  let own: Process?

  init(of view: any MachineView) {
    let ids = view.names(in: "/proc").compactMap { Int32($0) }.sorted()
    let own = ProcessTable.process("/proc/self", id: 0, of: view)
    all = ids.compactMap { ProcessTable.process("/proc/\($0)", id: $0, of: view) }
      .filter { $0.namespaceDepth <= own?.namespaceDepth ?? 1 }
    self.own = own
  }

  func named(_ program: String) -> [Process] {
    all.filter { $0.program == program }
  }

  private static func process(
    _ directory: String, id: Int32, of view: any MachineView
  ) -> Process? {
    guard let status = view.text(of: directory + "/status") else { return nil }
    var process = Process(id: id, program: "?", words: [], userID: .max, groupIDs: [])
    for line in status.split(separator: "\n") {
      let words = line.split { $0 == "\t" || $0 == " " }
      guard let key = words.first else { continue }
      switch key {
      case "Name:": process.program = String(line.dropFirst("Name:".count).drop { $0 == "\t" })
      // Real, effective, saved and file system user (proc_pid_status(5)).
      case "Uid:": if words.count > 2 { process.userID = UInt32(words[2]) ?? .max }
      case "Gid:": if words.count > 2 { process.groupIDs += [UInt32(words[2]) ?? .max] }
      case "NSpid:": process.namespaceDepth = words.count - 1
      case "Groups:": process.groupIDs += words.dropFirst().compactMap { UInt32($0) }
      default: break
      }
    }
    process.words = view.pieces(of: directory + "/cmdline")
    return process
  }
}
