import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Diagnosis
import TestSupport
import Testing

/// A machine that is written down in a file: what is in its file system, who runs on it, what is asked about
/// it, and what is expected to be found.
///
///     like NAME                          all of another file, what it expects left out
///     PATH = TEXT                        a file of one line; \0 and \n stand for themselves
///     PATH:                              a file of the lines that follow, two blanks before each
///     PATH from FILE                     a file with the contents of one of the project
///     PATH -> TARGET                     a symbolic link
///     PATH device MAJOR:MINOR USER:GROUP MODE
///     PATH socket                        a process listens there
///     PATH owned USER:GROUP MODE         a directory, or another owner for a file
///     PATH unreadable
///     remove PATH                        with what is below
///     chip DEVICE LABEL NAME...          a GPIO chip and its lines; NAME=HOLDER for a claimed line
///     process ID USER WORD...            a process with the user's groups
///     clock unsynchronized, clock TIME (seconds since 1970)
///     ask OPTION...                      the command line
///     daemon absent, daemon refuses, daemon crowded, daemon KEY=VALUE
///     expect:                            the lines of the whole output
struct MachineTree: MachineView {
  private enum Entry {
    case file([UInt8], Node)
    case link(String)
    case node(Node)
  }

  /// A line that means nothing, or a table that is missing.
  struct Unclear: Error {
    let text: String
  }

  private var entries: [String: Entry] = [:]
  private var sortedPaths: [String] = []
  private(set) var time = UTCTime(secondsSince1970: 1_795_300_000)
  private(set) var isClockSynchronized = true
  private var unreadable: [String] = []
  private(set) var lineChips: [LineChip] = []
  private(set) var inquiry = Inquiry(
    runtimeDirectory: "/run/binnacle", stateDirectory: "/home/pi/.local/state/binnacle",
    daemon: .absence("/run/binnacle/binnacle.sock: No such file or directory"))
  private(set) var expected: [String] = []

  init(_ name: String) throws {
    try read(name)
    sortedPaths = entries.keys.sorted()
    // The boards of this project are installed on every machine.
    let boards = TestData.packageRoot + "/boards"
    for file in try Files.list(boards) where file.hasSuffix(".conf") {
      let path = "/usr/share/binnacle/boards/" + file
      add(path, .file(try Files.read(boards + "/" + file), MachineTree.plain))
    }
    sortedPaths = entries.keys.sorted()
  }

  /// Its daemon has ended.
  mutating func stopDaemon() {
    try? take(["remove", "/proc/612"])
    sortedPaths = entries.keys.sorted()
    answer(["absent"])
  }

  static let directory = TestData.packageRoot + "/Tests/DiagnosisTests/Machines"

  // MARK: Reading

  private mutating func read(_ name: String) throws {
    let bytes = try Files.read(MachineTree.directory + "/" + name + ".tree")
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasSuffix(":"), !line.hasPrefix(" ") {
        var block: [Substring] = []
        while let inner = lines.first,
          inner.hasPrefix("  ") || inner.isEmpty && lines.dropFirst().first?.hasPrefix("  ") == true
        {
          block.append(inner.dropFirst(2))
          lines.removeFirst()
        }
        let key = String(line.dropLast())
        if key == "expect" {
          expected = block.map { String($0) }
        } else {
          add(key, .file(Array((block.joined(separator: "\n") + "\n").utf8), MachineTree.plain))
        }
      } else {
        try take(line.split(separator: " ", omittingEmptySubsequences: true).map { String($0) })
      }
    }
  }

  private mutating func take(_ words: [String]) throws {
    let rest = words.dropFirst()
    switch words[0] {
    case "like":
      try read(words[1])
      expected = []
    case "remove":
      entries = entries.filter { $0.key != words[1] && !$0.key.hasPrefix(words[1] + "/") }
    case "process": try addProcess(Array(rest))
    case "chip":
      lineChips.removeAll { $0.device == words[1] }
      lineChips.append(
        LineChip(
          device: words[1], label: words[2],
          lines: words[3...].map { word in
            let parts = word.split(separator: "=", maxSplits: 1).map { String($0) }
            // A holder's blanks are written as underscores.
            let holder = parts.count > 1 ? String(parts[1].map { $0 == "_" ? " " : $0 }) : nil
            return LineChip.Line(name: parts[0], holder: holder)
          }))
    case "clock":
      if let seconds = Int64(words[1]) {
        time = UTCTime(secondsSince1970: seconds)
      } else {
        isClockSynchronized = false
      }
    case "ask": ask(Array(rest))
    case "daemon": answer(Array(rest))
    default: try takePath(words)
    }
  }

  private mutating func takePath(_ words: [String]) throws {
    let path = words[0]
    switch words.count > 1 ? words[1] : "" {
    case "=": add(path, .file(MachineTree.bytes(words[2...]), MachineTree.plain))
    case "from":
      add(path, .file(try Files.read(TestData.packageRoot + "/" + words[2]), MachineTree.plain))
    case "->": add(path, .link(words[2]))
    case "unreadable": unreadable.append(path)
    case "socket":
      add(path, .node(Node(kind: .socket, userID: 0, groupID: 0, mode: 0o666)))
    case "device":
      let numbers = words[2].split(separator: ":").compactMap { UInt32($0) }
      let kind = Node.Kind.characterDevice(major: numbers[0], minor: numbers[1])
      add(path, .node(try node(kind, words[3], words[4])))
    case "owned":
      let owned = try node(.directory, words[2], words[3])
      if case .file(let bytes, _) = entries[path] {
        let file = Node(
          kind: .file, userID: owned.userID, groupID: owned.groupID, mode: owned.mode)
        add(path, .file(bytes, file))
      } else {
        add(path, .node(owned))
      }
    default: throw Unclear(text: words.joined(separator: " "))
    }
  }

  private mutating func add(_ path: String, _ entry: Entry) { entries[path] = entry }

  private mutating func ask(_ words: [String]) {
    for (option, value) in zip(words, words.dropFirst()) {
      switch option {
      case "--board": inquiry.board = value
      case "--receiver": inquiry.receiver = value
      case "--config": inquiry.configurationDirectory = value
      case "--runtime": inquiry.runtimeDirectory = value
      default: break
      }
    }
  }

  private mutating func answer(_ words: [String]) {
    switch words[0] {
    case "absent":
      inquiry.daemon = .absence("/run/binnacle/binnacle.sock: No such file or directory")
    case "crowded":
      inquiry.daemon = .crowded("/run/binnacle/binnacle.sock: the queue of connections is full")
    case "refuses":
      inquiry.daemon = .refusal(
        "only root, the daemon's own user and members of its group may do this")
    default:
      var report = Report()
      if case .report(let earlier) = inquiry.daemon { report = earlier }
      let parts = words.joined(separator: " ").split(separator: "=", maxSplits: 1)
      let value = String(parts[1])
      report.items.removeAll { $0.name == parts[0] }
      report.add(
        String(parts[0]),
        Bool(value).map { .flag($0) } ?? Int64(value).map { .integer($0) }
          ?? Double(value).map { .number($0) }
          ?? .text(value == "VERSION" ? Release.version : value))
      inquiry.daemon = .report(report)
    }
  }

  private mutating func addProcess(_ words: [String]) throws {
    let user = try number(of: words[1], in: "/etc/passwd")
    let groups = try rows("/etc/group").filter { row in
      row.count > 3 && row[3].split(separator: ",").contains(Substring(words[1]))
    }.map { $0[2] }
    let program = words[2].split(separator: "/").last ?? ""
    let status = """
      Name:\t\(program)
      Uid:\t\(user)\t\(user)\t\(user)\t\(user)
      Gid:\t\(user)\t\(user)\t\(user)\t\(user)
      Groups:\t\(groups.joined(separator: " "))

      """
    let folder = "/proc/" + words[0]
    add(folder + "/status", .file(Array(status.utf8), MachineTree.plain))
    let line = words[2...].joined(separator: "\0") + "\0"
    add(folder + "/cmdline", .file(Array(line.utf8), MachineTree.plain))
  }

  private func node(_ kind: Node.Kind, _ owner: String, _ mode: String) throws -> Node {
    let names = owner.split(separator: ":").map { String($0) }
    return Node(
      kind: kind, userID: try number(of: names[0], in: "/etc/passwd"),
      groupID: try number(of: names[1], in: "/etc/group"), mode: UInt32(mode, radix: 8) ?? 0)
  }

  private func number(of name: String, in table: String) throws -> UInt32 {
    let row = try rows(table).first { $0.first.map { $0 == name } ?? false }
    return try #require(row.flatMap { UInt32($0[2]) }, "\(name) is not in \(table)")
  }

  private func rows(_ table: String) throws -> [[Substring]] {
    guard case .file(let bytes, _) = entries[table] else { throw Unclear(text: table) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
  }

  private static func bytes(_ words: ArraySlice<String>) -> [UInt8] {
    let text = words.joined(separator: " ")
    let lines = text.split(separator: "\\n", omittingEmptySubsequences: false)
    return Array(
      lines.map {
        $0.split(separator: "\\0", omittingEmptySubsequences: false).joined(separator: "\0")
      }
      .joined(separator: "\n").utf8)
  }

  private static let plain = Node(kind: .file, userID: 0, groupID: 0, mode: 0o644)

  // MARK: Looking

  func contents(of path: String) -> FileContents {
    guard let resolved = resolved(path), case .file(let bytes, _) = entries[resolved] else {
      return .missing
    }
    return unreadable.contains(resolved) ? .refused : .bytes(bytes)
  }

  func names(in directory: String) -> [String] {
    guard let resolved = resolved(directory) else { return [] }
    var names: [String] = []
    for path in sortedPaths where path.hasPrefix(resolved + "/") {
      let name = String(path.dropFirst(resolved.count + 1).prefix { $0 != "/" })
      if !names.contains(name) { names.append(name) }
    }
    return names.sorted()
  }

  func node(at path: String) -> Node? {
    guard let resolved = resolved(path) else { return nil }
    switch entries[resolved] {
    case .file(_, let node), .node(let node): return node
    case .link: return nil
    case nil: return Node(kind: .directory, userID: 0, groupID: 0, mode: 0o755)
    }
  }

  func resolved(_ path: String) -> String? {
    var done = ""
    var rest = path.split(separator: "/").map { String($0) }[...]
    var linksLeft = 40
    while let part = rest.popFirst() {
      if part == ".." {
        done = done.lastIndex(of: "/").map { String(done[..<$0]) } ?? ""
        continue
      }
      let next = done + "/" + part
      guard case .link(let target) = entries[next] else {
        done = next
        continue
      }
      linksLeft -= 1
      if linksLeft == 0 { return nil }
      rest = (target.split(separator: "/").map { String($0) } + rest)[...]
      if target.hasPrefix("/") { done = "" }
    }
    let isThere =
      entries[done] != nil || sortedPaths.contains { $0.hasPrefix(done + "/") } || done.isEmpty
    return isThere ? (done.isEmpty ? "/" : done) : done == "/dev/null" ? done : nil
  }

  func holders(of device: String) -> [Holder] {
    names(in: "/proc").compactMap { Int32($0) }.sorted().filter { id in
      names(in: "/proc/\(id)/fd").contains { resolved("/proc/\(id)/fd/\($0)") == device }
    }.map { id in
      let status = contents(of: "/proc/\(id)/status")
      guard case .bytes(let bytes) = status else { return Holder(program: "?", processID: id) }
      let name = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[0].dropFirst(6)
      return Holder(program: String(name), processID: id)
    }
  }
}
