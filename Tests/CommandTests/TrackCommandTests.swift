import BinnaclePosix
import Devices
import Foundation
import LocationEngine
import StateLog
import TestSupport
import Testing

/// `binnacle track` over the log that a daemon leaves.
struct TrackCommandTests {
  private static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 32) ?? .ofTracks
  /// 2026-11-21T10:15:00Z.
  private static let start: Int64 = 1_795_256_100_000

  private let folder: TemporaryDirectory
  private let state: String

  init() throws {
    folder = try TemporaryDirectory()
    state = folder.path + "/state"
    try Files.makeDirectory(state, mode: 0o700)
  }

  private func track(_ words: String...) throws -> (status: Int32?, output: String, said: String) {
    let child = try ChildProcess(
      Programs.path("binnacle"), ["track", "--state", state] + words, output: .pipe,
      errorOutput: .pipe)
    let (ending, output, said) = try child.finish()
    guard case .exited(let status) = ending else { return (nil, output, said) }
    return (status, output, said)
  }

  private static func point(_ milliseconds: Int64) -> TrackPoint {
    var point = TrackPoint(
      timeMilliseconds: start + milliseconds, latitudeE7: 473_977_005,
      longitudeE7: -85_456_000 - milliseconds, horizontalAccuracyCentimeters: 213)
    point.altitudeCentimeters = -405
    point.verticalAccuracyCentimeters = 350
    point.speedCentimetersPerSecond = 1_302
    point.courseDecidegrees = 905
    return point
  }

  /// Three stretches, of which the last comes after a pause of two hours and knows little.
  private func makeTrack(owner: UInt64 = BoardNumber.read(), extra: [UInt8]? = nil) throws {
    let file = try LogFile.make(state + "/tracks.log", geometry: Self.geometry)
    var log = try StateLog.create(on: file, owner: owner, geometry: Self.geometry)
    let poor = TrackPoint(
      timeMilliseconds: Self.start + 7_200_000, latitudeE7: -5, longitudeE7: 1_799_999_999,
      horizontalAccuracyCentimeters: 500_000)
    let stretches = [[Self.point(0), Self.point(1_000)], [Self.point(2_000)], [poor]]
    // The order in which they are written is not the order of their numbers after a move.
    for (number, points) in zip([UInt32(2), 3, 1], [stretches[1], stretches[2], stretches[0]]) {
      let stretch = try #require(
        TrackStretch(points, isReduced: false, periodMilliseconds: 1_000))
      _ = try log.commit([
        try RecordTable.track.change(key: TrackKey.bytes(number), to: stretch.bytes)
      ])
    }
    if let extra {
      _ = try log.commit([try RecordTable.track.change(key: TrackKey.bytes(9), to: extra)])
    }
  }

  @Test func peopleGetALineAPoint() throws {
    try makeTrack()
    let (status, output, said) = try track()
    #expect(status == 0 && said == "")
    #expect(
      output == """
        2026-11-21T10:15:00.000Z  47.3977005, -8.5456000  ±2.13 m  altitude -4.05 ±3.50 m  13.02 m/s  course 90.5°
        2026-11-21T10:15:01.000Z  47.3977005, -8.5457000  ±2.13 m  altitude -4.05 ±3.50 m  13.02 m/s  course 90.5°
        2026-11-21T10:15:02.000Z  47.3977005, -8.5458000  ±2.13 m  altitude -4.05 ±3.50 m  13.02 m/s  course 90.5°
        2026-11-21T12:15:00.000Z  -0.0000005, 179.9999999  ±5000.00 m

        """)
  }

  @Test func programsGetTheKeysOfWatch() throws {
    try makeTrack()
    let (status, output, _) = try track("--json")
    #expect(status == 0)
    let lines = output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines.first == """
        {"latitude":47.3977005,"longitude":-8.5456,"altitude":-4.05,"verticalAccuracy":3.5,\
        "horizontalAccuracy":2.13,"speed":13.02,"course":90.5,"timestamp":"2026-11-21T10:15:00.000Z"}
        """)
    #expect(
      lines.last == """
        {"latitude":-5e-07,"longitude":179.9999999,"horizontalAccuracy":5000.0,\
        "timestamp":"2026-11-21T12:15:00.000Z"}
        """)
  }

  @Test func mapsGetGPXWithASegmentForEachPieceWithoutAPause() throws {
    try makeTrack()
    let (status, output, _) = try track("--gpx")
    #expect(status == 0)
    #expect(output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\""))
    #expect(output.contains("xmlns=\"http://www.topografix.com/GPX/1/1\""))
    #expect(
      output.contains(
        """
        <trkpt lat="47.3977005" lon="-8.5456000"><ele>-4.05</ele><time>2026-11-21T10:15:00.000Z</time>\
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>13.02</gpxtpx:speed>\
        <gpxtpx:course>90.5</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
        """))
    let pieces = output.split(separator: "\n").filter { $0.hasPrefix("<trkseg") }
    #expect(pieces.count == 2)
    #expect(output.contains("</trkpt>\n</trkseg>\n<trkseg>\n<trkpt lat=\"-0.0000005\""))
    #expect(output.hasSuffix("</trkpt>\n</trkseg>\n</trk>\n</gpx>\n"))
    // A shipped tool takes it for well formed.
    if Files.exists("/usr/bin/python3") {
      try Files.writeAtomically(Array(output.utf8), to: folder("t.gpx"))
      let child = try ChildProcess(
        "/usr/bin/python3",
        [
          "-c",
          "import sys,xml.dom.minidom as m; print(len(m.parse(sys.argv[1])"
            + ".getElementsByTagName('trkpt')))", folder("t.gpx"),
        ], output: .pipe)
      #expect(try child.finish().output == "4\n")
    }
  }

  /// A stretch of two points, of which the second is a mark.
  private func makeMarkedTrack() throws {
    let file = try LogFile.make(state + "/tracks.log", geometry: Self.geometry)
    var log = try StateLog.create(
      on: file, owner: BoardNumber.read(), geometry: Self.geometry)
    var mark = Self.point(500)
    mark.isMark = true
    let stretch = try #require(
      TrackStretch([Self.point(0), mark], isReduced: false, periodMilliseconds: 1_000))
    _ = try log.commit([
      try RecordTable.track.change(key: TrackKey.bytes(1), to: stretch.bytes)
    ])
  }

  @Test func aMarkIsAWaypointBeforeTheTrackAndARowOfItsOwn() throws {
    try makeMarkedTrack()
    let (status, output, _) = try track("--gpx")
    #expect(status == 0)
    let waypoint = try #require(output.range(of: "<wpt lat=\"47.3977005\" lon=\"-8.5456500\">"))
    let start = try #require(output.range(of: "<trk>"))
    #expect(waypoint.lowerBound < start.lowerBound)
    #expect(output.contains("<time>2026-11-21T10:15:00.500Z</time><name>mark</name>"))
    #expect(output.split(separator: "\n").filter { $0.hasPrefix("<trkpt") }.count == 1)
    let rows = try track("--json").output.split(separator: "\n")
    #expect(rows.map { $0.hasSuffix(",\"mark\":true}") } == [false, true])
    let lines = try track().output.split(separator: "\n")
    #expect(lines.map { $0.hasSuffix("  mark") } == [false, true])
    let later = try track("--gpx", "--since", "2026-11-22").output
    #expect(later.hasSuffix("<trk>\n</trk>\n</gpx>\n") && !later.contains("<wpt"))
  }

  @Test func sinceLeavesOutEarlierPoints() throws {
    try makeTrack()
    func count(_ since: String) throws -> Int {
      try track("--since", since).output.split(separator: "\n").count
    }
    #expect(try count("2026-11-21") == 4)
    #expect(try count("2026-11-21T10:15:01Z") == 3)
    #expect(try count("2026-11-21 10:16") == 1)
    #expect(try count("2027-01-01") == 0)
    #expect(try count("99999d") == 4)
    for wrong in ["yesterday", "2026-13-01", "5", "h", "-3d", "2026-11-21T10:15:00+01:00"] {
      let (status, _, said) = try track("--since", wrong)
      #expect(status == 64, "\(wrong)")
      #expect(said.contains("neither a time"))
    }
    #expect(try track("--json", "--gpx").status == 64)
  }

  @Test func aTrackIsADrawingWithItsNumbers() throws {
    try makeTrack()
    let (status, output, said) = try track("--svg", folder("t.svg"))
    #expect(status == 0 && output == "" && said == "")
    let text = String(decoding: try Files.read(folder("t.svg")), as: UTF8.self)
    #expect(text.contains("data-positions=\"4\"") && text.contains("data-gaps=\"1\""))
    #expect(text.contains("2026-11-21 10:15:00 to 2026-11-21 12:15:00 UTC, 2 h 0 min"))
    #expect(try Files.status(of: folder("t.svg")).mode == 0o600)
    #expect(try track("--svg", "-").output == text)
  }

  @Test func theSamePointsAreInEachDocument() throws {
    try makeTrack()
    let kml = try track("--kml").output
    #expect(kml.components(separatedBy: "<gx:coord>").count == 5)
    #expect(kml.contains("<gx:coord>-8.5456000 47.3977005 -4.05</gx:coord>"))
    let (status, output, _) = try track("--geojson", "-o", folder("t.geojson"))
    #expect(status == 0 && output == "")
    let object =
      try JSONSerialization.jsonObject(
        with: Data(try Files.read(folder("t.geojson")))) as? [String: Any]
    #expect((object?["features"] as? [Any])?.count == 2)
  }

  @Test func aFullDiskIsReportedAndLeavesTheOldFile() throws {
    try makeTrack()
    let (status, _, said) = try track("--svg", "/dev/full")
    #expect(status == 73)
    #expect(said == "binnacle: /dev/full: No space left on device; nothing was written there\n")
    #expect(try track("--gpx", "-o", folder("no/t.gpx")).status == 73)
    #expect(try track("--gpx", "-o", folder.path).status == 73)
  }

  @Test func lastIsAnAgeAndFormsExcludeEachOther() throws {
    try makeTrack()
    #expect(try track("--last", "99999d").output.split(separator: "\n").count == 4)
    for words in [
      ["--last", "2026-11-21"], ["--last", "1h", "--since", "2h"], ["--svg", "x", "--gpx"],
      ["--kml", "--geojson"], ["--svg", "x", "-o", "y"],
    ] {
      let child = try ChildProcess(
        Programs.path("binnacle"), ["track", "--state", state] + words, output: .pipe,
        errorOutput: .pipe)
      #expect(try child.finish().status == .exited(64), "\(words)")
    }
  }

  @Test func anEmptyTrackIsAnEmptyDocument() throws {
    _ = try StateLog.create(
      on: try LogFile.make(state + "/tracks.log", geometry: Self.geometry),
      owner: BoardNumber.read(), geometry: Self.geometry)
    #expect(try track().output == "")
    let (status, output, _) = try track("--gpx")
    #expect(status == 0)
    #expect(output.hasSuffix("<trk>\n</trk>\n</gpx>\n"))
  }

  @Test func aFileThatIsNoTrackIsReportedWithAReason() throws {
    let (status, _, said) = try track()
    #expect(status == 66)
    #expect(said.contains("Track=full in [Track]"))
    try Files.writeAtomically([UInt8](repeating: 7, count: 5_000), to: state + "/tracks.log")
    #expect(try track().status == 65)
  }

  @Test func tracksOfForeignBoardsAndNewerVersionsAreReadInPart() throws {
    try makeTrack(owner: 0xBEEF, extra: [9, 9, 9])
    let (status, output, said) = try track()
    #expect(status == 0)
    #expect(output.split(separator: "\n").count == 4)
    #expect(said.contains("1 stretch cannot be read"))
  }
}
