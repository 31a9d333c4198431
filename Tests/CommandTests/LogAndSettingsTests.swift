import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// `binnacle log`, `settings`, `receiver` and `motion` with the real daemon.
@Suite(.timeLimit(.minutes(5)))
struct LogAndSettingsTests {
  private func run(_ words: [String], _ daemon: RunningDaemon) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle"), words + ["--runtime", daemon.runtimeDirectory])
  }

  private func start() throws -> RunningDaemon {
    let directory = try TemporaryDirectory()
    try Files.makeDirectory(directory("config/boards/mine.conf.d"), mode: 0o755, withParents: true)
    try Files.writeAtomically(
      Array("[Location]\nPromptTimeout=30 s\nRestricted=no\n".utf8),
      to: directory("config/boards/mine.conf"))
    try Files.writeAtomically(
      Array("[Location]\n# slower\nPromptTimeout=45 s\n".utf8),
      to: directory("config/boards/mine.conf.d/slow.conf"))
    return try RunningDaemon(
      receiver: directory("gnss"), directory: directory,
      arguments: ["--board", "mine", "--config", directory("config")])
  }

  @Test func settingsNameTheirSource() throws {
    let daemon = try start()
    let place = daemon.directory("config/boards")
    let all = try run(["settings"], daemon)
    #expect(all.ending == .exited(0) && all.errorText.isEmpty)
    // A line with a long path is folded.
    let words = all.text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("Location.PromptTimeout 45 s drop-in \(place)/mine.conf.d/slow.conf:3"))
    #expect(words.contains("Location.Restricted no profile \(place)/mine.conf:3"))
    #expect(words.contains("Location.BackgroundGrace 10 s default"))
    #expect(words.contains("Receiver.Device \(daemon.directory("gnss")) command line"))
    let one = try run(["settings", "Location.PromptTimeout", "--json"], daemon)
    #expect(
      one.text
        == "{\"section\":\"Location\",\"key\":\"PromptTimeout\",\"value\":\"45 s\",\"origin\":\"drop-in\","
        + "\"file\":\"\(place)/mine.conf.d/slow.conf\",\"file_line\":3}\n")
    #expect(try run(["settings", "Nothing"], daemon).ending == .exited(65))
  }

  @Test func theLogIsReadAndFollowed() throws {
    let daemon = try start()
    let all = try run(["log"], daemon)
    #expect(all.ending == .exited(0))
    #expect(all.text.contains("Z  daemon: version \(Release.version)"))
    let urgent = try run(["log", "--priority", "error", "--json"], daemon)
    #expect(urgent.ending == .exited(0) && !urgent.text.contains("daemon: version"))
    #expect(try run(["log", "--priority", "loud"], daemon).ending == .exited(64))
    let follower = try ChildProcess(
      Programs.path("binnacle"),
      ["log", "-f", "--json", "--runtime", daemon.runtimeDirectory], output: .pipe)
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 65_536)
    func sees(_ words: String) throws -> Bool {
      try eventually {
        while let count = try follower.readOutput(into: &chunk), count > 0 {
          text += String(decoding: chunk[..<count], as: UTF8.self)
        }
        return text.contains(words)
      }
    }
    #expect(try sees("daemon: version"))
    #expect(try run(["services", "off"], daemon).ending == .exited(0))
    #expect(try sees("\"priority\":\"notice\",\"text\":\"location services"))
    #expect(try follower.terminate() == .exited(0))
  }

  @Test func receiverAndMotionHaveTheirParts() throws {
    let daemon = try start()
    let receiver = try run(["receiver"], daemon)
    #expect(receiver.ending == .exited(0))
    #expect(receiver.text.contains("\nline           \(daemon.directory("gnss"))"))
    #expect(receiver.text.contains("\nfirst fix      none yet"))
    let object = try run(["receiver", "--json"], daemon).text
    #expect(object.contains("\"receiver.state\":") && !object.contains("\"power."))
    let motion = try run(["motion", "--count", "1"], daemon)
    #expect(motion.ending == .exited(0) && motion.text == "not judged\n")
    let none = try ChildProcess.run(
      Programs.path("binnacle"), ["motion", "--runtime", daemon.directory("nowhere")])
    #expect(none.ending == .exited(69))
    #expect(
      try run(["version", "--json"], daemon).text == "{\"binnacle\":\"\(Release.version)\"}\n")
  }
}
