public import BinnacleBasics
public import BinnaclePosix
import Verbs

/// The commands that were typed on this board, for the key "up": kept in one small file that is seldom written.
public struct CommandHistory: Sendable {
  /// The number of lines that are kept.
  static let linesMax = 200
  /// A longer line is not kept.
  static let lineLengthMax = 300
  /// The shortest time between two writes, except the last one.
  static let period = Interval.seconds(600)

  /// nil: nothing is kept over the end of the console.
  private let path: String?
  private(set) var lines: [String]
  private var unsaved: [String] = []
  private var lastSaved: Instant

  /// Reads the lines of earlier consoles; a file that cannot be read counts as empty.
  public init(path: String?, at now: Instant) {
    self.path = path
    lines = path.map { CommandHistory.read($0) } ?? []
    lastSaved = now
  }

  /// The file for a user: in the state directory of the service, else where the user's programs keep their state.
  public static func path(
    environment: (String) -> String? = Environment.value
  ) -> String? {
    let name = "console-history"
    if let directory = environment("STATE_DIRECTORY"), directory.hasPrefix("/") {
      return directory + "/" + name
    }
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/binnacle/" + name
    }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/binnacle/" + name
  }

  /// Whether a line is kept: not blank, no repetition of the last line, not too long, without a blank at its start, and
  /// without a PIN.
  func isKept(_ line: String) -> Bool {
    !line.isEmpty && !CommandHistory.mayHavePIN(line) && line.first != " " && line != lines.last
      && line.utf8.count <= CommandHistory.lineLengthMax
      && line.unicodeScalars.allSatisfy(PlainText.isPlain)
  }

  /// Whether a line is `unlock` with a PIN, or meant to be.
  private static func mayHavePIN(_ line: String) -> Bool {
    var words = CommandWords(line).words
    if words.first == "binnacle" { words.removeFirst() }
    guard words.count > 1, let first = words.first else { return false }
    return first == "unlock" || Spelling.nearest(to: first, among: ["unlock"]) != nil
  }

  /// Takes over a line that `isKept` accepts.
  mutating func note(_ line: String) {
    lines = Array((lines + [line]).suffix(CommandHistory.linesMax))
    unsaved = Array((unsaved + [line]).suffix(CommandHistory.linesMax))
  }

  /// Writes the file if there are new lines and the last write is long ago.
  mutating func saveIfDue(at now: Instant) {
    if now - lastSaved >= CommandHistory.period { save(at: now) }
  }

  /// Adds the new lines to the file, which other consoles may have changed.
  mutating func save(at now: Instant) {
    guard let path, !unsaved.isEmpty else { return }
    let all = (CommandHistory.read(path) + unsaved).suffix(CommandHistory.linesMax)
    unsaved = []
    lastSaved = now
    // Without this file commands still work, so a disk that takes nothing is no reason to complain at each command.
    guard
      (try? Files.makePrivateDirectory(Files.parent(of: path), withParents: true)) != nil
    else { return }
    let text = all.map { $0 + "\n" }.joined()
    try? Files.writeAtomically(Array(text.utf8), to: path, mode: 0o600)
  }

  private static func read(_ path: String) -> [String] {
    guard let bytes = try? Files.read(path, sizeMax: (lineLengthMax + 1) * linesMax * 2) else {
      return []
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.filter {
      $0.utf8.count <= lineLengthMax && $0.unicodeScalars.allSatisfy(PlainText.isPlain)
    }.suffix(linesMax)
  }
}
