import BinnacleBasics
import BinnaclePosix
import Glibc
import TestSupport
import Testing

/// A shell in tmux, a terminal that others have made, with a person who types and looks.
final class TmuxUnderTest {
  static let isInstalled = ["/usr/bin/tmux", "/usr/local/bin/tmux"].contains {
    (try? Files.status(of: $0)) != nil
  }

  let directory: TemporaryDirectory
  let daemon: AnsweringDaemon

  private struct Failure: Error {
    let text: String
  }

  /// Starts a shell whose prompt is `READY>`.
  init(
    columns: Int = 80, rows: Int = 24, kind: String? = nil,
    shell: String = "bash --norc --noprofile -i",
    prepare: (AnsweringDaemon) -> Void = TopBoard.prepare
  ) throws {
    directory = try TemporaryDirectory()
    daemon = try AnsweringDaemon(in: directory.path)
    prepare(daemon)
    try tmux([
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "exec env PS1='READY> ' BINNACLE_RUNTIME='\(directory.path)' HOME='\(directory("home"))' "
        + (kind.map { "TERM=\($0) " } ?? "")
        + "PATH='\(Files.parent(of: Programs.path("binnacle")))':\"$PATH\" \(shell)",
    ])
    #expect(try seesPrompt())
  }

  deinit { _ = try? tmux(["kill-server"]) }

  @discardableResult
  private func tmux(_ words: [String]) throws -> String {
    // The user's own shell may be one that refuses logins.
    let environment = [
      "PATH": Environment.value("PATH") ?? "", "LC_ALL": "C.UTF-8", "TERM": "xterm",
      "HOME": directory.path, "SHELL": "/bin/sh",
    ]
    let outcome = try ChildProcess.run(
      "tmux", ["-S", directory("tmux"), "-f", "/dev/null"] + words, environment: environment)
    guard outcome.ending == .exited(0) else { throw Failure(text: outcome.errorText) }
    return outcome.text
  }

  /// Types text as it is; keys have names, such as `C-c`.
  func type(_ text: String, key: String? = nil) throws {
    if !text.isEmpty { try tmux(["send-keys", "-l", text]) }
    if let key { try tmux(["send-keys", key]) }
  }

  /// Types a line.
  func enter(_ line: String) throws { try type(line, key: "Enter") }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The rows of the screen, without blanks at their ends.
  func rows() throws -> [String] {
    var rows = try tmux(["capture-pane", "-p"]).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    if rows.last?.isEmpty == true { rows.removeLast() }
    return rows
  }

  /// Waits until the screen is as wanted; the daemon works meanwhile.
  func sees(_ condition: ([String]) -> Bool) throws -> Bool {
    try eventually {
      try self.daemon.work()
      return condition(try self.rows())
    }
  }

  func sees(_ text: String) throws -> Bool {
    try sees { $0.joined(separator: "\n").contains(text) }
  }

  func seesPrompt() throws -> Bool {
    try sees { $0.last { !$0.isEmpty } == "READY>" }
  }

  /// Whether the whole view of `top` is on the screen.
  func seesView() throws -> Bool {
    try sees {
      $0.first?.hasPrefix("binnacle top") == true && $0.last?.hasPrefix("q quits") == true
    }
  }

  /// The process of the command that the shell runs.
  func command() throws -> String? {
    let shell = try tmux(["list-panes", "-F", "#{pane_pid}"]).filter { $0.isNumber }
    let children = try Files.read("/proc/\(shell)/task/\(shell)/children")
    return String(decoding: children, as: UTF8.self).split(separator: " ").first.map { String($0) }
  }

  /// Sends a signal to the program that the shell runs.
  func signal(_ number: Int32) throws {
    let process = try #require(try command().flatMap { Int32($0) })
    try #require(kill(process, number) == 0)
  }

  /// The letter for the state of a process, such as `T` for one that is stopped (proc(5)).
  func state(of process: String) throws -> String? {
    let fields = String(decoding: try Files.read("/proc/\(process)/stat"), as: UTF8.self)
    return fields.split(separator: ")").last?.split(separator: " ").first.map { String($0) }
  }

  /// The settings of the shell's terminal, as `stty` prints them.
  func settings() throws -> String {
    try enter("clear; stty -g > '\(directory("settings"))'; echo done")
    #expect(try sees { $0.contains("done") })
    return String(decoding: try Files.read(directory("settings")), as: UTF8.self)
  }
}
