import BinnaclePosix
import Glibc
import TestSupport
import Testing

/// `binnacle-sim motion`, as a person runs it.
@Suite struct MotionCommandTests {
  private func motion(_ words: [String], input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle-sim"), ["motion"] + words, input: Array(input.utf8),
      limit: .seconds(120))
  }

  /// A board that lies on a desk, 20 Hz, its last digit restless.
  private static func desk(seconds: Int, label: String = "1") -> String {
    var text = "t_s,ax_g,ay_g,az_g,label,gps_speed,truth_speed\n"
    for index in 0..<seconds * 20 {
      let hundredths = index * 5
      let fraction = hundredths % 100 < 10 ? "0\(hundredths % 100)" : "\(hundredths % 100)"
      text += "\(hundredths / 100).\(fraction),0.00\(index % 3),0,1.000,\(label),,9.9\n"
    }
    return text
  }

  @Test func aRestIsALineWhenTheDwellIsOver() throws {
    let outcome = try motion(["-", "--dwell", "10"], input: Self.desk(seconds: 30))
    #expect(outcome.ending == .exited(0) && outcome.errorText.isEmpty)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.first == "0.0000,0" && lines.count == 2)
    #expect(lines.last?.hasSuffix(",1") == true && lines.last?.hasPrefix("10.") == true)
  }

  @Test func timesMayCountFrom1970() throws {
    let text = Self.desk(seconds: 30).split(separator: "\n").enumerated().map { index, line in
      index == 0
        ? String(line) : "17000000" + (line.split(separator: ".")[0].count < 2 ? "0" : "") + line
    }
    let outcome = try motion(
      ["-", "--dwell", "10"], input: text.joined(separator: "\n") + "\n")
    #expect(outcome.ending == .exited(0) && outcome.errorText.isEmpty)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.first == "1700000000.0000,0" && lines.count == 2)
    #expect(lines.last?.hasPrefix("1700000010.") == true)
  }

  @Test func evidenceIsACommentWithNumbers() throws {
    let outcome = try motion(["-", "--dwell=10", "--evidence"], input: Self.desk(seconds: 30))
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 4 && lines[3].hasPrefix("# dwellReached by=accelerometer sway=0."))
    #expect(lines[3].hasSuffix("threshold=5.0mg floor=0.2mg rate=20Hz credit=10.00s/10s"))
  }

  @Test func eachQuarterOfASecondIsALineWithItsNumbers() throws {
    let outcome = try motion(["-", "--dwell=10", "--hops"], input: Self.desk(seconds: 30))
    let lines = outcome.text.split(separator: "\n")
    // The first verdict, then those of the hops from the first that has ended to the last.
    #expect((116...121).contains(lines.count) && lines[0] == "0.0000,0,,,,,0.00")
    let last = try #require(lines.last).split(separator: ",", omittingEmptySubsequences: false)
    #expect(last.count == 7 && last[1] == "1" && last[4] == "5.0" && last[6] == "10.00")
    #expect(last[2].hasPrefix("0.") && last[3].hasPrefix("0.") && last[5].isEmpty)
  }

  @Test func unusableRowsAreReportedWithTheirLine() throws {
    let bad = Self.desk(seconds: 4) + "rubbish\n0.5,0,0,1\n5,nan,0,1\n5.1,0,0,1\n"
    let outcome = try motion(["-"], input: bad)
    #expect(outcome.ending == .exited(ExitStatus.dataDamaged.rawValue))
    #expect(outcome.text == "0.0000,0\n")
    #expect(
      outcome.errorText == """
        -: line 82 has too few fields, left out
        -: line 83 goes back in time, left out
        -: 1 sample is no acceleration, the first in line 84

        """)
  }

  @Test func rowsOutOfOrderABurstAndAClockThatIsSetAreReported() throws {
    let lines = Self.desk(seconds: 30).split(separator: "\n").map(String.init)
    var swapped = lines
    swapped.swapAt(100, 101)
    let burst = "29.95,0.001,0,1.000,1,,9.9\n"
    let again = Self.desk(seconds: 30).split(separator: "\n").dropFirst().joined(separator: "\n")
    let text = swapped.joined(separator: "\n") + "\n" + burst + again + "\n"
    let outcome = try motion(["-", "--dwell", "40"], input: text)
    #expect(outcome.ending == .exited(0))
    #expect(
      outcome.errorText == """
        -: 1 line is out of order and was sorted, the first in line 102
        -: 1 sample has the time of the one before and was spread, the first in line 602
        -: 1 time the clock was set back; time was taken to go on, the first in line 603

        """)
    let lines40 = outcome.text.split(separator: "\n")
    #expect(lines40.count == 2 && lines40.last?.hasPrefix("40.") == true, "\(outcome.text)")
  }

  @Test func aRecordingWithoutSamplesIsAFailure() throws {
    for input in ["", "t_s,ax_g,ay_g,az_g\n", "rubbish\n"] {
      let outcome = try motion(["-"], input: input)
      #expect(outcome.ending == .exited(ExitStatus.dataDamaged.rawValue) && outcome.text.isEmpty)
      #expect(outcome.errorText.contains("holds no samples"))
    }
    let missing = try motion(["/nonexistent.csv"])
    #expect(missing.ending == .exited(ExitStatus.inputMissing.rawValue))
    let negative = try motion(["-", "--dwell", "-1"])
    #expect(negative.ending == .exited(ExitStatus.usage.rawValue))
  }

  @Test func aMissingColumnIsNamedAndNothingElseIsReported() throws {
    let outcome = try motion(["-"], input: "t_s,ax_g,ay_g\n0,0,0\n1,0,0\n")
    #expect(outcome.ending == .exited(ExitStatus.dataDamaged.rawValue) && outcome.text.isEmpty)
    #expect(
      outcome.errorText == """
        binnacle-sim: -: line 1 names no az_g; wanted are t_s,ax_g,ay_g,az_g,gps_speed in any order

        """)
  }

  @Test func improbableUnitsAreReported() throws {
    let meters = Self.desk(seconds: 3).split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return "\(fields[0]),0,0,9.81"
    }
    let outcome = try motion(["-"], input: meters.joined(separator: "\n"))
    #expect(outcome.ending == .exited(0))
    #expect(
      outcome.errorText
        == "-: samples of 9.8 in the mean: wanted are g, of which a body at rest feels 1\n")
    let milliseconds = (0..<100).map { "\($0 * 50),0,0,1" }.joined(separator: "\n")
    #expect(
      try motion(["-"], input: milliseconds).errorText
        == "-: 0.02 samples a second: wanted are 10 or more, and times in seconds\n")
  }

  /// The detector does not know the reference of its score.
  @Test func labelAndReferenceSpeedDoNotChangeTheOutput() throws {
    let text = Self.desk(seconds: 30)
    let other = text.split(separator: "\n").enumerated().map { index, line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return index == 0
        ? String(line) : fields[..<4].joined(separator: ",") + ",\(index % 2),,rubbish"
    }
    for dwell in ["0", "10"] {
      let options = ["-", "--dwell", dwell, "--evidence"]
      let outcome = try motion(options, input: text)
      let same = try motion(options, input: other.joined(separator: "\n"))
      #expect(outcome.text == same.text && outcome.errorText == same.errorText)
      #expect(outcome.text.contains(",1\n"))
    }
  }

  @Test func anUnreadableFileIsNoInput() throws {
    let directory = try TemporaryDirectory()
    let outcome = try motion([directory.path])
    #expect(outcome.ending == .exited(ExitStatus.inputMissing.rawValue) && outcome.text.isEmpty)
    #expect(outcome.errorText == "binnacle-sim: \(directory.path): Is a directory\n")
    let both = try motion(["-", "--hops", "--evidence"])
    #expect(both.ending == .exited(ExitStatus.usage.rawValue))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aCompressedRecordingIsReadAndOneThatIsCutOffIsReported() throws {
    let name = "motion/csv/wid_dot__02.csv.gz"
    let path = try #require(TestData.directory) + "/" + name
    let whole = try motion([path, "--dwell", "5"])
    #expect(whole.ending == .exited(0) && whole.text.hasPrefix("0.0000,0\n"))
    let directory = try TemporaryDirectory()
    let bytes = try TestData.bytes(name)
    try Files.writeAtomically(Array(bytes.dropLast(5_000)), to: directory("cut.csv.gz"))
    let cut = try motion([directory("cut.csv.gz"), "--dwell", "5"])
    #expect(cut.ending == .exited(ExitStatus.dataDamaged.rawValue))
    #expect(cut.errorText.contains("ends in the middle") && cut.text.hasPrefix("0.0000,0\n"))
  }

  // MARK: Scores

  private func score(_ words: [String], input: String = "") throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle-sim"), ["motion-score"] + words, input: Array(input.utf8),
      limit: .seconds(120))
  }

  @Test func aRecordingWithATruthIsScored() throws {
    let outcome = try score(["-"], input: Self.desk(seconds: 30))
    #expect(outcome.ending == .exited(0) && outcome.errorText.isEmpty)
    #expect(outcome.text.hasPrefix("Bare verdict"))
  }

  @Test func aLogWithoutSolutionsHasNoRow() throws {
    let directory = try TemporaryDirectory()
    try Files.writeAtomically(
      Array(Self.desk(seconds: 60, label: "0").utf8), to: directory("desk.csv"))
    try Files.writeAtomically([], to: directory("empty.ubx"))
    let outcome = try ChildProcess.run(
      Programs.path("binnacle-sim"), ["rest-score", directory("desk.csv"), directory("empty.ubx")],
      limit: .seconds(120))
    #expect(outcome.ending == .exited(ExitStatus.dataDamaged.rawValue) && outcome.text.isEmpty)
    #expect(outcome.errorText.contains("empty.ubx has hardly any solutions"))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aLogWithoutSolutionsIsReportedAndOtherLogsAreScored() throws {
    let directory = try TemporaryDirectory()
    try Files.writeAtomically(
      Array(Self.desk(seconds: 60, label: "0").utf8), to: directory("desk.csv"))
    try Files.writeAtomically([], to: directory("empty.ubx"))
    let log = "ublox/logs/pyubx2-mixed.log"
    try Files.writeAtomically(try TestData.bytes(log), to: directory("mixed.log"))
    let outcome = try ChildProcess.run(
      Programs.path("binnacle-sim"),
      ["rest-score", directory("desk.csv"), directory("empty.ubx"), directory("mixed.log")],
      limit: .seconds(300))
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.contains("\nmixed.log ") && !outcome.text.contains("empty.ubx"))
    #expect(outcome.errorText.contains("empty.ubx has hardly any solutions"))
  }

  /// A recording without a verdict has no score, and both commands end in the same way.
  @Test(arguments: ["", "t_s,ax_g,ay_g,az_g,label\n", "rubbish\n", "t_s,ax_g\n0,0\n"])
  func nothingToScoreIsAFailureThatNamesTheFile(_ text: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory("bad.csv")
    try Files.writeAtomically(Array(text.utf8), to: path)
    for command in [score, motion] {
      let outcome = try command([path], "")
      #expect(outcome.ending == .exited(ExitStatus.dataDamaged.rawValue) && outcome.text.isEmpty)
      #expect(outcome.errorText.contains("binnacle-sim: " + path))
    }
    let missing = try score(["/nonexistent.csv"])
    #expect(missing.ending == .exited(ExitStatus.inputMissing.rawValue))
  }

  @Test(arguments: [true, false])
  func aRecordingWithoutAReferenceIsNotScored(isLong: Bool) throws {
    let text = isLong ? Self.desk(seconds: 30, label: "") : Self.desk(seconds: 1)
    let outcome = try score(["-"], input: text)
    #expect(outcome.ending == .exited(ExitStatus.dataDamaged.rawValue) && outcome.text.isEmpty)
    #expect(
      outcome.errorText == """
        binnacle-sim: - tells no truth; wanted are lines with label 0 or 1, for more than a second

        """)
  }

  @Test func aTruncatedRecordingIsNotScored() throws {
    let text = Array(Self.desk(seconds: 30).utf8)
    let count = [UInt8(text.count & 0xFF), UInt8(text.count >> 8)]
    // A block that is not compressed (RFC 1951, 3.2.4) in a frame (RFC 1952, 2.3) that lacks its end.
    let cut =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] as [UInt8] + [1] + count + count.map { ~$0 } + text
    let directory = try TemporaryDirectory()
    let path = directory("cut.csv.gz")
    try Files.writeAtomically(cut, to: path)
    let outcome = try score([path])
    #expect(outcome.ending == .exited(ExitStatus.dataDamaged.rawValue) && outcome.text.isEmpty)
    #expect(
      outcome.errorText
        == "binnacle-sim: \(path): its compression ends in the middle; a part is not scored\n")
    let judged = try motion([path])
    #expect(judged.ending == .exited(ExitStatus.dataDamaged.rawValue))
    #expect(judged.text.hasPrefix("0.0000,0\n"))
    #expect(
      judged.errorText == "\(path): its compression ends in the middle; what came before was read\n"
    )
  }

  @Test func theHelpIsThatOfTheVerb() throws {
    let outcome = try motion(["--help"])
    #expect(outcome.ending == .exited(0) && outcome.errorText.isEmpty)
    #expect(outcome.text.hasPrefix("binnacle-sim motion: "))
    #expect(!outcome.text.contains("motion-score"))
    let words = outcome.text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("--dwell SECONDS how long the board must have rested (60); 0 gives"))
  }
}
