import BinnaclePosix
import Foundation
import TestSupport
import Testing

/// `binnacle track FILE` over recordings of receivers.
struct RecordedTrackTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func track(_ words: String...) throws -> (
    status: ChildProcess.Ending?, output: String, said: String
  ) {
    let child = try ChildProcess(
      Programs.path("binnacle"), ["track"] + words, output: .pipe, errorOutput: .pipe)
    let (status, output, said) = try child.finish()
    return (status, output, said)
  }

  private static let receivers = TestData.packageRoot + "/Tests/Receivers/"

  @Test func theRowsAreThePositionsThatTheDaemonWouldAccept() throws {
    let (status, output, _) = try track(Self.receivers + "cr-cr-lf.nmea")
    #expect(status == .exited(0))
    let rows = output.split(separator: "\n")
    #expect(rows.count == 3)
    #expect(rows.first?.hasPrefix("2026-06-01T12:00:00.000Z  ") == true)
  }

  @Test func aPositionNearTheCenterOfTheEarthIsLeftOut() throws {
    let (status, output, _) = try track(Self.receivers + "nav-sol-near-center.ubx", "--json")
    #expect(status == .exited(0) && output == "")
  }

  @Test func aFileWithoutFramesIsReported() throws {
    try Files.writeAtomically(Array("no frames".utf8), to: folder("f"))
    let (status, output, said) = try track(folder("f"), "--gpx")
    #expect(status == .exited(65))
    #expect(said.contains("no frame of UBX, NMEA or RTCM"))
    #expect(output.hasSuffix("</gpx>\n"))
    #expect(try track(folder("none")).status == .exited(66))
    let swapped = try track(folder("none"), "--gpx")
    #expect(swapped.status == .exited(66) && swapped.said.contains("--output FILE"))
  }

  @Test func aRecordingHasItsOwnTimes() throws {
    let file = Self.receivers + "cr-cr-lf.nmea"
    #expect(
      try track(file, "--since", "2026-06-01T12:00:01Z").output.split(separator: "\n").count == 2)
    #expect(try track(file, "--last", "1h").status == .exited(64))
    #expect(try track(file, "--state", folder.path).status == .exited(64))
    let replaced = try track(file, "--gpx", "-o", file)
    #expect(replaced.status == .exited(64) && replaced.said.contains("place of the recording"))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not here"))
  func theDrawingOfARecordingHasTheExtentOfItsPositions() throws {
    let name = "gpsd-zed-f9p-hp.log"
    let path = try #require(TestData.directory) + "/ublox/logs/" + name
    let drawing = try track(path, "--svg", "-").output
    let rows = try track(path, "--json").output.split(separator: "\n")
    #expect(drawing.contains("data-positions=\"\(rows.count)\""))
    let latitudes = try rows.map { row -> Double in
      let object = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any]
      return try #require(object?["latitude"] as? Double)
    }
    // A degree of latitude is 111 km.
    let north = ((latitudes.max() ?? 0) - (latitudes.min() ?? 0)) * 111_195
    let scale = try #require(
      drawing.text(from: "data-meters-per-unit=\"", to: "\"").flatMap { Double($0) })
    let lines = try #require(drawing.text(from: "<g class=\"line\">", to: "</g>"))
    let heights = lines.components(separatedBy: "points=\"").dropFirst().flatMap { part in
      (part.components(separatedBy: "\"").first ?? "").split(separator: " ").compactMap {
        $0.split(separator: ",").last.flatMap { Double($0) }
      }
    }
    let drawn = ((heights.max() ?? 0) - (heights.min() ?? 0)) * scale
    #expect(abs(drawn - north) < 0.02 * north + 0.2, "\(drawn) \(north)")
  }
}
