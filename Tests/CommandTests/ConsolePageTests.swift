import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// The pictures of `Docs/CONSOLE.md` are those of a real session; `make drawings` writes them.
@Suite(.timeLimit(.minutes(5)))
struct ConsolePageTests {
  static let report: Report = {
    var report = ConsoleTests.running
    report.add(.daemonVersion, Release.version)
    report.add(.daemonUptime, 3_700)
    report.add(.receiverDevice, "/dev/ttyAMA0")
    report.add(.receiverPort, "uart")
    report.add(.receiverSpeed, 38_400)
    report.add(.receiverLastFrameAge, 0.2)
    report.add(.receiverModule, "MAX-M10S")
    report.add(.receiverFirmware, "SPG 5.10")
    report.add(.receiverProtocol, "34.10")
    report.add(.receiverRate, 1)
    report.add(.receiverModel, "portable")
    report.add(.receiverPositionSource, "NAV-PVT")
    report.add(.receiverIsConfigured, true)
    report.add(.receiverUnanswered, 0)
    report.add(.receiverDamage, 0)
    report.add(.receiverOpenings, 1)
    report.add(.receiverSearches, 0)
    report.add(.receiverResets, 0)
    report.add(.receiverPositionLosses, 0)
    report.add(.receiverFrames, 22_214)
    report.add(.damageBytes, 0)
    report.add(.fixFirstAfter, 27)
    report.add(.threatIndicated("jamming"), true)
    report.add(.threatPresent("jamming"), false)
    report.add(.threatBeginnings("jamming"), 2)
    report.add(.threatTime("jamming"), "2026-11-24T09:14:07Z")
    report.add(.threatIndicated("spoofing"), false)
    report.add(.accelerometerLastX, 0.011)
    report.add(.accelerometerLastY, -0.02)
    report.add(.accelerometerLastZ, 0.998)
    report.add(.restIsStationary("motion"), false)
    report.add(.restSince("motion"), 41)
    report.add(.restDwell("motion"), 120)
    report.add(.restCredit("motion"), 36)
    report.add(.restSway("motion"), 1.9)
    report.add(.restThreshold("motion"), 6.4)
    report.add(.restSpeed("motion"), 0.08)
    return report
  }()

  static func setting(
    _ section: String, _ key: String, _ value: String, _ origin: String, _ place: (String, Int64)?
  ) -> Report {
    var row = Report()
    row.add(.rowSection, section)
    row.add(.rowSetting, key)
    row.add(.rowValue, value)
    row.add(.rowOrigin, origin)
    if let place {
      row.add(.rowFile, place.0)
      row.add(.rowFileLine, place.1)
    }
    return row
  }

  static func logged(_ time: String, _ priority: String, _ text: String) -> Report {
    var row = Report()
    row.add(.rowLoggedAt, "2026-11-24T\(time)Z")
    row.add(.rowPriority, priority)
    row.add(.rowLogText, text)
    return row
  }

  private func start() throws -> ConsoleUnderTest {
    let console = try ConsoleUnderTest(kind: "dumb") { daemon in
      daemon.report = Self.report
      daemon.settings = [
        Self.setting("Location", "Restricted", "no", "default", nil),
        Self.setting(
          "Location", "PromptTimeout", "30 s", "drop-in",
          ("/etc/binnacle/boards/raspberry-pi-4.conf.d/slow.conf", 2)),
        Self.setting("Location", "BackgroundGrace", "10 s", "default", nil),
      ]
      daemon.log = [
        Self.logged(
          "10:15:02.114", "notice", "daemon: version \(Release.version), receiver at /dev/ttyAMA0"),
        Self.logged("10:15:31.870", "warning", "receiver: reports jamming"),
      ]
    }
    #expect(try console.seesPrompt("fix"))
    return console
  }

  /// The rows since a row, with the board's name in place of this machine's.
  private func picture(_ console: ConsoleUnderTest, from row: Int) -> String {
    let host = Environment.hostName
    return console.screen.rows[row...].joined(separator: "\n")
      .replacing("\(host) fix>", with: "board fix>").replacing(" on \(host).", with: " on board.")
      .replacing("binnacle \(Release.version)", with: "binnacle VERSION")
      .replacing("version \(Release.version)", with: "version VERSION")
  }

  @Test func thePageHasThePicturesOfASession() throws {
    let console = try start()
    try ConsolePage.check("first", picture(console, from: 0))
    for (name, line) in [
      ("help", "services ?"), ("settings", "settings Location\r"), ("receiver", "receiver\r"),
      ("motion", "motion --count 1\r"), ("log", "log --priority warning\r"),
    ] {
      let row = console.screen.rows.count - 1
      try console.type(line)
      #expect(
        try console.sees { screen in
          screen.rows.count > row + 1
            && screen.currentRow.hasSuffix(name == "help" ? "> services" : "fix>")
        })
      try ConsolePage.check(name, picture(console, from: row))
      try console.type("\u{15}")
    }
    #expect(try console.seesPrompt("fix"))
    let row = console.screen.rows.count - 1
    try console.type("wat")
    #expect(try console.sees { $0.currentRow.hasSuffix("> wat") })
    try console.daemon?.setPrompts([ConsoleTests.prompt("org.example.route")])
    #expect(
      try console.sees {
        $0.text.contains("deny org.example.route") && $0.currentRow.hasSuffix("> wat")
      })
    try ConsolePage.check("request", picture(console, from: row))
  }
}
