import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Foundation
import TestSupport
import Testing

/// `binnacle sky` beside a daemon that follows a script, and beside a real one.
struct SkyCommandTests {
  private static let sky = Sky(
    time: UTCTime(secondsSince1970: 1_763_700_000, nanoseconds: 250_000_000),
    horizontalDilution: 0.63, verticalDilution: nil, positionDilution: 1.09,
    satellites: [
      Satellite(
        constellation: .glonass, number: nil, elevationDegrees: -3, azimuthDegrees: 7,
        carrierToNoiseDBHz: 18),
      Satellite(constellation: .gps, number: 3, elevationDegrees: 5, azimuthDegrees: 42),
      Satellite(
        constellation: .gps, number: 29, elevationDegrees: 54, azimuthDegrees: 286,
        carrierToNoiseDBHz: 47, isUsed: true, health: .healthy),
      Satellite(constellation: .sbas, number: 131, carrierToNoiseDBHz: 30, health: .unhealthy),
    ])

  /// The output of the command for an answer.
  private func run(
    _ words: [String], version: UInt16 = 4, _ answer: (UInt32) -> ServerMessage
  ) throws -> (status: ChildProcess.Ending?, output: String, complaint: String) {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["sky"] + words)
    try daemon.welcome(version: version)
    if version >= 4 {
      var number: UInt32?
      if case .request(let request, .sky) = try daemon.hear() { number = request }
      try daemon.say(answer(try #require(number, "the sky is not asked for")))
    }
    return try child.finish()
  }

  @Test func theTableFitsAConsole() throws {
    let (status, output, complaint) = try run([]) { .sky(request: $0, Self.sky) }
    #expect(status == .exited(0))
    #expect(complaint == "")
    #expect(
      output == """
        satellite    elevation  azimuth  signal dB-Hz           used  health
        GPS       29        54      286    47  ############     yes   ok
        GPS        3         5       42     -                   no
        SBAS     131         -        -    30  ########         no    bad
        GLONASS    ?        -3        7    18  #####            no
        4 in view, 1 used, HDOP 0.63, VDOP unknown, PDOP 1.09
        seen at 2025-11-21T04:40:00Z

        """)
    for line in output.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test func jsonIsOneObjectWithoutUnknownKeys() throws {
    let (status, output, _) = try run(["--json"]) { .sky(request: $0, Self.sky) }
    #expect(status == .exited(0))
    #expect(
      output == """
        {"timestamp":"2025-11-21T04:40:00.250Z","satellites_in_view":4,"satellites_used":1,\
        "hdop":0.63,"pdop":1.09,"satellites":[\
        {"constellation":"GPS","number":29,"elevation_deg":54,"azimuth_deg":286,"signal_dbhz":47,\
        "used":true,"healthy":true},\
        {"constellation":"GPS","number":3,"elevation_deg":5,"azimuth_deg":42,"used":false},\
        {"constellation":"SBAS","number":131,"signal_dbhz":30,"used":false,"healthy":false},\
        {"constellation":"GLONASS","elevation_deg":-3,"azimuth_deg":7,"signal_dbhz":18,"used":false}\
        ]}

        """)
  }

  @Test func theDrawingIsWrittenToAFileOrToStandardOutput() throws {
    let folder = try TemporaryDirectory()
    let (status, output, _) = try run(["--svg", folder("sky.svg")]) {
      .sky(request: $0, Self.sky)
    }
    #expect(status == .exited(0) && output == "")
    let file = String(decoding: try Files.read(folder("sky.svg")), as: UTF8.self)
    #expect(file.contains(">G29</text>") && file.hasSuffix("</svg>\n"))
    #expect(try Files.status(of: folder("sky.svg")).mode == 0o600)
    #expect(try run(["--svg", "-"]) { .sky(request: $0, Self.sky) }.output == file)
    let (failed, _, complaint) = try run(["--svg", "/dev/full"]) {
      .sky(request: $0, Self.sky)
    }
    #expect(failed == .exited(73))
    #expect(complaint.contains("/dev/full: No space left on device"))
  }

  @Test func anEmptySkyIsReported() throws {
    let (status, output, _) = try run([]) { .sky(request: $0, Sky()) }
    #expect(status == .exited(0))
    #expect(
      output == """
        The receiver lists no satellites.
        0 in view, 0 used, HDOP unknown, VDOP unknown, PDOP unknown

        """)
  }

  @Test(arguments: [
    (ServerMessage.RefusalKind.unavailable, Int32(69)), (.notPermitted, 77),
  ])
  func aRefusalIsReported(reason: ServerMessage.RefusalKind, expected: Int32) throws {
    let (status, output, complaint) = try run(["--json"]) {
      .answered(request: $0, .init(reason, "the receiver sleeps"))
    }
    #expect(status == .exited(expected))
    #expect(output == "")
    #expect(complaint == "binnacle: sky: the receiver sleeps\n")
  }

  @Test func anOlderDaemonIsNamed() throws {
    let (status, _, complaint) = try run([], version: 3) { _ in .status(request: 0, Report()) }
    #expect(status == .exited(69))
    #expect(complaint.contains("version 4"))
  }

  @Test func aRealDaemonReportsTheSkyOfItsReceiver() throws {
    let directory = try TemporaryDirectory()
    let receiver = try RunningReceiver(path: directory("gnss"))
    let daemon = try RunningDaemon(receiver: directory("gnss"), directory: directory)
    var text = ""
    let isTold = try eventually {
      let outcome = try ChildProcess.run(
        Programs.path("binnacle"), ["sky", "--json", "--runtime", daemon.runtimeDirectory],
        limit: .seconds(60))
      text = outcome.text
      // The satellites and the precision come in messages of their own.
      return outcome.ending == .exited(0) && text.contains("\"used\":true")
        && text.contains("\"hdop\"")
    }
    #expect(isTold)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let satellites = try #require(object?["satellites"] as? [[String: Any]])
    #expect(object?["satellites_in_view"] as? Int == satellites.count)
    #expect(satellites.count >= 8)
    #expect(object?["hdop"] as? Double ?? 0 > 0.3)
    #expect(object?["timestamp"] is String)
    // Gone with the receiver.
    try receiver.unplug()
    let isRefused = try eventually {
      let outcome = try ChildProcess.run(
        Programs.path("binnacle"), ["sky", "--runtime", daemon.runtimeDirectory],
        limit: .seconds(60))
      return outcome.ending == .exited(69) && outcome.errorText.contains("no receiver is there")
    }
    #expect(isRefused)
  }
}
