import BinnacleBasics
import BinnaclePosix
import LocationEngine
import Simulation
import TestSupport
import Testing

/// `binnacle-sim` as a separate process.
struct ProgramTests {
  /// Reads the output of a terminal until the output is sufficient or the time-out has passed.
  private func heard(_ path: String, until isEnough: ([UInt8]) -> Bool) throws -> [UInt8] {
    let terminal = try FileDescriptor.open(path, 0o4002 | 0o400)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let end = Clock.now + .seconds(60)
    var poll = Poll()
    poll.set(terminal.number, .reading)
    while Clock.now < end, !isEnough(bytes) {
      try poll.wait(until: end)
      do throws(Errno) {
        if let count = try terminal.read(into: &chunk) { bytes += chunk[..<count] }
      } catch {
        // The program has closed its end.
        break
      }
    }
    return bytes
  }

  @Test func aReceiverIsOfferedUnderANameUntilItIsStopped() throws {
    let directory = try TemporaryDirectory()
    let path = directory("tty")
    let process = try ChildProcess(
      Programs.path("binnacle-sim"), ["receiver", "--tty", path, "--seed", "7"])
    #expect(try eventually { Files.exists(path) })
    // The program keeps running when its reader closes and opens the terminal.
    for _ in 0..<2 {
      let bytes = try heard(path) {
        RecordedFrame.frames(in: $0).contains { $0.kind == .nmea }
      }
      #expect(RecordedFrame.frames(in: bytes).contains { $0.kind == .nmea })
    }
    let ending = try process.terminate()
    #expect(ending == .exited(0))
    #expect(try eventually { !Files.exists(path) })
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aRecordingIsPlayedByteForByteOrItsLossIsReported() throws {
    let directory = try TemporaryDirectory()
    let root = try #require(TestData.directory)
    let file = root + "/ublox/logs/gpsd-neo-m8p.log"
    let expected = try TestData.bytes("ublox/logs/gpsd-neo-m8p.log")
    // On a busy machine this reader may wait for a processor for longer than the line's buffer lasts.
    for attempt in 1...5 {
      let path = directory("tty\(attempt)")
      let process = try ChildProcess(
        Programs.path("binnacle-sim"), ["play", file, "--tty", path, "--speed", "5"],
        output: .pipe)
      #expect(try eventually { Files.exists(path) })
      let bytes = try heard(path) { $0.count >= expected.count }
      let ending = try process.wait(limit: .seconds(30))
      #expect(ending == .exited(0))
      let said = try output(of: process)
      if bytes == expected {
        #expect(!said.contains("lost"))
        return
      }
      #expect(said.contains("bytes were lost"))
    }
    Issue.record("bytes were lost five times")
  }

  /// On a busy machine the test may open the terminal only after the last byte; nothing waits there then.
  @Test func bytesThatNoProgramReadsInTimeAreReportedAsLost() throws {
    let directory = try TemporaryDirectory()
    let file = directory("recording")
    try Files.writeAtomically([UInt8](repeating: 0x55, count: 2_000), to: file)
    for turn in 1...5 {
      let path = directory("tty\(turn)")
      let process = try ChildProcess(
        Programs.path("binnacle-sim"), ["play", file, "--tty", path], output: .pipe)
      #expect(try eventually { Files.exists(path) })
      let terminal = try FileDescriptor.open(path, 0o4002 | 0o400)
      let ending = try process.wait(limit: .seconds(30))
      #expect(ending == .exited(0))
      let said = try output(of: process)
      if said.contains("bytes were lost, because no program read \(path) in time") { return }
      _ = terminal
    }
    Issue.record("five losses were not reported")
  }

  private func output(of process: ChildProcess) throws -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while let count = try process.readOutput(into: &chunk), count > 0 { text += chunk[..<count] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The trace of a start, with the effects of the engine or with none.
  private func trace(withEffects hasEffects: Bool) throws -> [UInt8] {
    var engine = Engine(configuration: Configuration(), seed: 1)
    var recorder = TraceRecorder(engine: engine)
    var effects: [Effect] = []
    engine.handle(.started, at: .zero, into: &effects)
    recorder.record(.started, at: .zero, effects: hasEffects ? effects : [])
    return try recorder.save()
  }

  @Test func aReplayStatesWhetherTheEffectsAreTheSame() throws {
    let directory = try TemporaryDirectory()
    let same = try trace(withEffects: true)
    var changed = same
    changed[changed.count / 2] ^= 1
    let traces: [(name: String, bytes: [UInt8], status: Int32)] = [
      ("same", same, 0), ("diverged", try trace(withEffects: false), 1), ("changed", changed, 65),
    ]
    for (name, bytes, status) in traces {
      try Files.writeAtomically(bytes, to: directory(name))
      let ending = try ChildProcess(Programs.path("binnacle-sim"), ["replay", directory(name)])
        .wait(limit: .seconds(60))
      #expect(ending == .exited(status), "\(name)")
    }
    let missing = try ChildProcess(Programs.path("binnacle-sim"), ["replay", directory("none")])
      .wait(limit: .seconds(60))
    #expect(missing == .exited(66))
  }

  @Test func aHuntReportsItsStartItsSpeedAndHowManySeedsRan() throws {
    let outcome = try ChildProcess.run(
      Programs.path("binnacle-sim"),
      ["hunt", "--seed", "5", "--workers", "2", "--minutes", "0.01", "--keep-going"],
      limit: .seconds(120))
    #expect(outcome.text.contains(" seeds from --seed 5 in "), "\(outcome.text)")
    #expect(outcome.text.contains(" a second with 2 workers: "), "\(outcome.text)")
    let refused = try ChildProcess.run(
      Programs.path("binnacle-sim"), ["hunt", "--workers", "0"])
    #expect(refused.ending == .exited(64))
  }

  @Test func aBoardAppendsALineToItsLogForEachChangeOfALampOrAButton() throws {
    let directory = try TemporaryDirectory()
    let path = directory("log")
    try Files.writeAtomically(Array("earlier\n".utf8), to: path)
    let start = Clock.monotonicNanoseconds
    let board = try RunningBoard(path: directory("board"), arguments: ["--log", path])
    let outcome = try ChildProcess.run(
      Programs.path("binnacle"), ["press", "HOME", "--socket", directory("board")])
    #expect(outcome.ending == .exited(0))
    let lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n")
    let words = lines.dropFirst().map { $0.split(separator: " ").map(String.init) }
    #expect(lines.first == "earlier")
    #expect(words.map { $0.dropFirst() } == [["button", "HOME", "1"], ["button", "HOME", "0"]])
    let times = words.compactMap { $0.first.flatMap { Int64($0) } }
    #expect(times.count == 2 && times == times.sorted())
    #expect(times.allSatisfy { $0 >= start && $0 <= Clock.monotonicNanoseconds })
    withExtendedLifetime(board) {}
  }

  @Test func anOutputThatCannotBeWrittenEndsEveryVerbWithAMessage() throws {
    let directory = try TemporaryDirectory()
    try Files.writeAtomically(try trace(withEffects: true), to: directory("trace"))
    try Files.writeAtomically([0x20], to: directory("recording"))
    let verbs: [[String]] = [
      ["seeds", "1..1"], ["seed", "1"], ["seed", "1", "--verbose"], ["hunt", "--minutes", "0.01"],
      ["replay", directory("trace")], ["help"], ["receiver", "--tty", directory("tty")],
      ["play", directory("recording"), "--tty", directory("tty")],
      ["board", "--listen", directory("board")],
    ]
    for words in verbs {
      let full = try FileDescriptor.open("/dev/full", 1)
      let process = try ChildProcess(
        Programs.path("binnacle-sim"), words, output: .descriptor(full.number), errorOutput: .pipe)
      let ending = try process.wait(limit: .seconds(60))
      #expect(ending == .exited(73), "\(words)")
      var message = [UInt8](repeating: 0, count: 400)
      let count = try process.readErrors(into: &message) ?? 0
      let text = String(decoding: message[..<count], as: UTF8.self)
      #expect(text.hasPrefix("binnacle-sim: standard output: "), "\(words): \(text)")
      #expect(!Files.exists(directory("tty")))
      #expect(!Files.exists(directory("board")))
    }
  }
}
