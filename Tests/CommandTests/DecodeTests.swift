import Foundation
import Glibc
import Posix
import TestSupport
import Testing

/// `binnacle decode`, as a person runs it.
@Suite struct DecodeTests {
  /// What a run of `binnacle decode` gave.
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
        "heading_motion_deg":217.87649,"s_acc_mps":0.903,"heading_acc_deg":61.70669,"p_dop":1.25}
        """)
    #expect(outcome.errorText.contains("521 bytes discarded"))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func whatIsUnknownIsLeftOut() throws {
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
  func aMissingFileDoesNotKeepTheOthersFromBeingDecoded() throws {
    let log = try Self.log("pyubx2-badck2.log")
    let outcome = try decode(["/nowhere/at/all", log, log])
    #expect(outcome.ending == .exited(66))
    #expect(try objects(outcome.text).count == 2)
    #expect(outcome.errorText.contains("/nowhere/at/all: No such file or directory"))
  }

  @Test func whatIsNoFileIsToldAsOne() throws {
    #expect(try decode(["/"]).ending == .exited(66))
    #expect(try decode(["-"]).ending == .exited(0))
  }

  @Test(arguments: [[], ["--frames"], ["--nonsense", "x"], ["--frames=1", "x"]])
  func aWrongCommandLineIsAQuestionOfUsage(words: [String]) throws {
    let outcome = try decode(words)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.text == "")
    #expect(outcome.errorText.contains("usage: binnacle decode"))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aReaderThatGoesAwayEndsItQuietly() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    // Nobody will read.
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
