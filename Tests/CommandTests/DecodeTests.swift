import BinnaclePosix
import Foundation
import Glibc
import TestSupport
import Testing

/// `binnacle decode`, as a person runs it.
@Suite struct DecodeTests {
  /// The output of a run of `binnacle decode`.
  private func decode(_ words: [String], input: [UInt8] = []) throws -> ChildProcess.Outcome {
    try ChildProcess.run(
      Programs.path("binnacle"), ["decode"] + words, input: input, limit: .seconds(120))
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any])
    }
  }

  private static func log(_ name: String) throws -> String {
    try #require(TestData.directory) + "/ublox/logs/" + name
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func framesAreThoseOfTheReferences() throws {
    for name in try TestData.ubloxLogs() {
      let outcome = try decode(["--frames", try Self.log(name)])
      #expect(outcome.ending == .exited(0))
      let reference = String(
        decoding: try TestData.bytes("ublox/reference/\(name).frames.tsv"), as: UTF8.self)
      let lines = reference.split(separator: "\n")
        .filter { !$0.hasPrefix("BAD") && !$0.hasPrefix("TRUNC") }
      #expect(outcome.text.split(separator: "\n") == lines, "\(name)")
    }
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func anEpochIsALineWithEveryDigit() throws {
    let outcome = try decode([try Self.log("gpsd-zed-f9p-hp.log")])
    #expect(outcome.ending == .exited(0))
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 29)
    #expect(
      lines.first == """
        {"source":"NAV-PVT","itow_ms":163178000,"utc":"2019-04-22T21:19:19.999872241Z",\
        "valid_date":true,"valid_time":true,"t_acc_ns":26,"fix_type":3,"fix_ok":true,\
        "satellites":16,"latitude":-45.8775286,"longitude":170.5001306,"height_m":29.234,\
        "height_msl_m":27.443,"latitude_hp":-45.877528586,"longitude_hp":170.500130586,\
        "height_hp_m":29.2336,"height_msl_hp_m":27.4430,"h_acc_m":14.481,"v_acc_m":12.898,\
        "vel_n_mps":0.251,"vel_e_mps":-0.039,"vel_d_mps":-0.024,"ground_speed_mps":0.254,\
        "heading_motion_deg":217.87649,"s_acc_mps":0.903,"heading_acc_deg":61.70669,"p_dop":1.25,\
        "hdop":0.77,"vdop":0.99}
        """)
    #expect(outcome.errorText.contains("521 bytes discarded"))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func unknownValuesAreLeftOut() throws {
    let outcome = try decode([try Self.log("gnssvis-coldstart.ubx")])
    let first = try #require(try objects(outcome.text).first)
    #expect(
      Set(first.keys) == [
        "source", "itow_ms", "valid_date", "valid_time", "fix_type", "fix_ok", "satellites",
        "v_acc_m", "vel_n_mps", "vel_e_mps", "vel_d_mps", "ground_speed_mps",
        "heading_motion_deg", "s_acc_mps",
      ])
    #expect(outcome.errorText == "")
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func everyLogIsJSONAndStandardInputIsAFileLikeOthers() throws {
    for name in try TestData.ubloxLogs() {
      let path = try Self.log(name)
      let outcome = try decode([path])
      _ = try objects(outcome.text)
      #expect(try decode(["-"], input: try TestData.contents(ofFile: path)).text == outcome.text)
    }
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func otherFilesAreDecodedIfOneIsMissing() throws {
    let log = try Self.log("pyubx2-badck2.log")
    let outcome = try decode(["/nowhere/at/all", log, log])
    #expect(outcome.ending == .exited(66))
    #expect(try objects(outcome.text).count == 2)
    #expect(outcome.errorText.contains("/nowhere/at/all: No such file or directory"))
  }

  @Test func aDirectoryIsReportedAsNoFile() throws {
    #expect(try decode(["/"]).ending == .exited(66))
    #expect(try decode(["-"]).ending == .exited(65))
  }

  @Test(arguments: ["--help", "-h"]) func helpIsOfTheCommand(word: String) throws {
    let outcome = try decode([word])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.hasPrefix("binnacle decode: "))
    #expect(outcome.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [[], ["--frames"]]) func inputWithoutAFrameIsReportedAsSuch(words: [String])
    throws
  {
    let outcome = try decode(words + ["-"], input: Array("hello, world\n".utf8))
    #expect(outcome.ending == .exited(65))
    #expect(outcome.text == "")
    #expect(outcome.errorText.contains("no frame of UBX, NMEA or RTCM is in it"))
  }

  /// One sentence, compressed by gzip 1.12.
  private static let gzipped: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x71, 0xF7, 0x0B,
    0xF2, 0x75, 0xD6, 0x31, 0x34, 0x32, 0x30, 0x30, 0x36, 0xD0, 0x33, 0x30, 0xD0, 0x71,
    0xD4, 0x31, 0x35, 0x34, 0xB2, 0xD0, 0x33, 0x33, 0x37, 0x36, 0x31, 0xD0, 0xF1, 0xD3,
    0x31, 0x00, 0x01, 0x3D, 0x03, 0x0B, 0x0B, 0x53, 0x03, 0x9D, 0x70, 0x1D, 0x23, 0x3D,
    0x4B, 0x43, 0x33, 0x1D, 0x1D, 0x23, 0x23, 0x43, 0x43, 0x23, 0x20, 0x0D, 0x54, 0x1C,
    0xA6, 0x65, 0x60, 0xCC, 0xCB, 0x05, 0x00, 0xC0, 0xFA, 0xD9, 0x75, 0x46, 0x00, 0x00,
    0x00,
  ]

  @Test func gzipFilesAreDecompressed() throws {
    let outcome = try decode(["-"], input: Self.gzipped)
    #expect(outcome.ending == .exited(0))
    #expect(try objects(outcome.text).count == 1)
    #expect(outcome.errorText == "")
    let cut = try decode(["-"], input: Array(Self.gzipped.dropLast(12)))
    #expect(cut.ending == .exited(65))
    #expect(cut.errorText.contains("its compression ends in the middle"))
  }

  @Test func zerosAfterTheLastMemberOfGzipAreIgnored() throws {
    for count in [1, 600, 300_000] {
      let zeros = [UInt8](repeating: 0, count: count)
      let outcome = try decode(["-"], input: Self.gzipped + Self.gzipped + zeros)
      #expect(outcome.ending == .exited(0))
      #expect(try objects(outcome.text).count == 1)
      #expect(outcome.errorText == "")
      let followed = try decode(["-"], input: Self.gzipped + zeros + [1])
      #expect(followed.ending == .exited(65))
      #expect(followed.errorText.contains("its compression is damaged"))
    }
  }

  @Test func anotherCompressionIsNamedWithTheCommandThatReadsIt() throws {
    let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x00, 0x01, 0x00]
    let outcome = try decode(["-"], input: zstd)
    #expect(outcome.ending == .exited(65))
    #expect(outcome.errorText.contains("zstd -dc FILE | binnacle decode -"))
  }

  @Test func framesWithoutAPositionAreReportedAsSuch() throws {
    // RTCM 1005 of a base station, and a text.
    let rtcm: [UInt8] = [
      0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD,
      0x62, 0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
    ]
    let corrections = try decode(["-"], input: rtcm + rtcm)
    #expect(corrections.ending == .exited(0))
    #expect(corrections.errorText.contains("no position is in its frames (2 of RTCM)"))
    #expect(corrections.errorText.contains("RTCM carries corrections"))
    let text = try decode(["-"], input: Array("$GNTXT,01*7C\r\n".utf8))
    #expect(text.ending == .exited(0))
    #expect(text.errorText.contains("no position is in its frames (1 of NMEA)"))
  }

  /// A sentence with its checksum and line end.
  private func sentence(_ text: String) -> [UInt8] {
    let sum = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return Array("$\(text)*\(sum.count == 1 ? "0" : "")\(sum)\r\n".utf8)
  }

  @Test func theLastSentenceOfAFileNeedsNoLineEnd() throws {
    let rmc = sentence("GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.916,,221126,,,A,V")
    let ended = try decode(["-"], input: Array(rmc.dropLast(2)))
    #expect(ended.ending == .exited(0))
    #expect(try objects(ended.text).count == 1)
    #expect(ended.errorText == "")
    let cut = try decode(["-"], input: rmc + Array(rmc.dropLast(3)))
    #expect(try objects(cut.text).count == 1)
    #expect(cut.errorText.contains("1 time frame cut off at the end"))
  }

  @Test func epochsWithoutAPositionAreReportedWithTheCause() throws {
    let cold = (0..<3).flatMap { sentence("GNRMC,12003\($0).00,V,,,,,,,221126,,,N") }
    let unfixed = try decode(["-"], input: cold)
    #expect(unfixed.ending == .exited(0))
    #expect(try objects(unfixed.text).count == 3)
    let cause = "no position is in its 3 epochs: the receiver reports no fix"
    #expect(unfixed.errorText == "binnacle: standard input: \(cause)\n")
    // Two sentences of one epoch are 60 nautical miles apart.
    let disputed = try decode(
      ["-"],
      input: sentence("GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.916,,221126,,,A,V")
        + sentence("GNGGA,120030.00,5028.67340,N,00000.08850,W,1,08,2.00,400.0,M,47.0,M,,"))
    #expect(disputed.ending == .exited(0))
    #expect(try objects(disputed.text).count == 1)
    #expect(disputed.text.contains("\"fix_ok\":false"))
    #expect(disputed.errorText.contains("no position is in its only epoch"))
    #expect(disputed.errorText.contains("the receiver reports a fix"))
    #expect(disputed.errorText.contains("contradict each other"))
    let mixed = try decode(
      ["-"],
      input: cold + sentence("GNRMC,120040.00,A,5128.67340,N,00000.08850,W,2.916,,221126,,,A,V"))
    #expect(mixed.errorText == "")
  }

  @Test func aPositionNearTheCenterOfTheEarthIsNoFixAndTheReason() throws {
    let file = TestData.packageRoot + "/Tests/Receivers/nav-sol-near-center.ubx"
    let outcome = try decode([file])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.contains("\"fix_type\":3,\"fix_ok\":false,"), "\(outcome.text)")
    let reason = "its coordinates (NAV-SOL) are far from the surface of the Earth"
    #expect(
      outcome.errorText
        == "binnacle: \(file): no position is in its only epoch: the receiver reports a fix, "
        + "but \(reason)\n")
  }

  @Test func anEstimateOfTheAccuracyIsReportedAsSuch() throws {
    let sentences =
      "$GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.916,,221126,,,A,V*03\r\n"
      + "$GPGGA,120031.00,4723.12345,N,00833.12345,E,1,08,2.00,400.0,M,47.0,M,,*5A\r\n"
    let found = try objects(try decode(["-"], input: Array(sentences.utf8)).text)
    #expect(found.map { $0["accuracy_origin"] as? String } == ["assumed", "dilution"])
    #expect(found.map { $0["h_acc_m"] as? Double } == [50, 20])
    #expect(found.map { $0["position_from"] as? String } == ["RMC", "GGA"])
    #expect(found.map { $0["time_of_day"] as? String } == [nil, "12:00:31.000000000"])
  }

  @Test(arguments: [[], ["--frames"], ["--nonsense", "x"], ["--frames=1", "x"]])
  func aWrongCommandLineIsAQuestionOfUsage(words: [String]) throws {
    let outcome = try decode(words)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.text == "")
    #expect(outcome.errorText.hasPrefix("binnacle: decode: "))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aClosedOutputEndsDecodeQuietly() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    // No process reads the output.
    close(ends[0])
    let child = try ChildProcess(
      Programs.path("binnacle"), ["decode", try Self.log("navsol-f9t-l2-5min.ubx")],
      output: .descriptor(ends[1]), errorOutput: .pipe)
    close(ends[1])
    let ending = try child.wait(limit: .seconds(60))
    #expect(ending == .exited(0) || ending == .killed(signal: SIGPIPE))
    var complaint = [UInt8](repeating: 0, count: 1_000)
    #expect(try child.readErrors(into: &complaint) == 0)
  }

  @Test func anEpochIsShownBeforeThePipeEnds() throws {
    let child = try ChildProcess(
      Programs.path("binnacle"), ["decode", "-"], input: .pipe, output: .pipe)
    let sentence = "$GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.916,,221126,,,A,V*03\r\n"
    let next = "$GNRMC,120031.00,A,5128.67340,N,00000.08850,W,2.916,,221126,,,A,V*02\r\n"
    _ = try child.write(Array((sentence + next).utf8)[...])
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let isShown = try eventually {
      if let count = try child.readOutput(into: &chunk) { output += chunk[..<count] }
      return output.contains(UInt8(ascii: "\n"))
    }
    #expect(isShown)
    #expect(String(decoding: output, as: UTF8.self).contains("2026-11-22T12:00:30.000000000Z"))
    child.closeInput()
    #expect(try child.wait(limit: .seconds(60)) == .exited(0))
  }
}
