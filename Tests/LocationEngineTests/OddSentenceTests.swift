import BinnacleBasics
import BinnacleModel
import LocationEngine
import TestSupport
import Testing
import UBX

/// Receivers that are not u-blox, live: a line on which nothing answers.
@Suite struct OddSentenceTests {
  /// The engine at a UART.
  private struct Line {
    @Indirect var engine = Engine(configuration: Configuration(), seed: 1)
    var effects: [Effect] = []
    var now = Instant.zero

    init(clock: UTCTime? = nil) {
      send(.started)
      if let clock { send(.wallClockRead(clock, within: .seconds(1))) }
      send(.receiver(.opened(.init(kind: .uart, speed: 38_400))))
      send(
        .client(
          ClientID(number: 1),
          .connected(Peer(userID: 0, processID: 1, isOperator: true), program: "test")))
      send(.client(ClientID(number: 1), .updatesOpened(SequenceID(number: 1), .default)))
    }

    mutating func send(_ event: Event) {
      while let due = engine.nextDeadline, due <= now { handle(.deadlineReached, at: due) }
      handle(event, at: now)
    }

    private mutating func handle(_ event: Event, at instant: Instant) {
      var orders: [Effect] = []
      engine.handle(event, at: instant, into: &orders)
      effects += orders
      for case .receiver(.setSpeed(let speed)) in orders {
        handle(.receiver(.speedChanged(speed)), at: instant)
      }
    }

    /// Sends a burst a second, in reads of 16 bytes.
    mutating func play(seconds: Int, _ burst: (Int) -> [UInt8]) {
      for second in 0..<seconds {
        let start = now
        var rest = burst(second)[...]
        while !rest.isEmpty {
          now += .milliseconds(16)
          send(.receiver(.bytesArrived(Array(rest.prefix(16)))))
          rest = rest.dropFirst(16)
        }
        now = max(now, start + .seconds(1))
      }
    }

    var fixes: [Fix] {
      effects.compactMap {
        if case .client(_, .deliver(_, let update)) = $0 { update.fix } else { nil }
      }
    }

    var lines: [String] {
      effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
    }

    mutating func report() -> Report {
      send(.client(ClientID(number: 1), .requested(1, .status)))
      for case .client(_, .report(_, let report)) in effects.reversed() { return report }
      return Report()
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func frame(_ text: String, end: String = "\r\n") -> [UInt8] {
    NMEASentence(text: text).frame.dropLast(2) + Array(end.utf8)
  }

  @Test(arguments: ["\r\r\n", "\r", "\n", "  \r\n"])
  func aStreamWithOddLineEndsIsHeard(end: String) {
    var line = Line()
    line.play(seconds: 40) { second in
      let time = "1200\(Self.two(second)).00"
      return Self.frame("GNRMC,\(time),A,4723.12345,N,00833.12345,E,0.1,,010626,,,A", end: end)
        + Self.frame("GNGGA,\(time),4723.12345,N,00833.12345,E,1,08,1.00,400.0,M,,M,,", end: end)
        + Self.frame("GNGSA,A,3,01,02,03,04,,,,,,,,,2.00,1.00,1.00", end: end)
    }
    #expect(line.fixes.count >= 20)
    #expect(!line.lines.contains { $0.contains("is its ground wired") })
    #expect(line.fixes.last?.altitude == 400)
    #expect(line.fixes.last?.verticalAccuracy == 10)
    #expect(line.fixes.last?.ellipsoidalAltitude == 0)
    let report = line.report()
    #expect(report["fixes.position_from"] == .text("GGA"))
    #expect(report["fixes.accuracy_origin"] == .text("dilution of precision x 5 m"))
  }

  @Test func positionsOfAReceiverThatSendsGSAFirstAreDeliveredInTheirBurst() {
    var line = Line()
    line.play(seconds: 40) { second in
      let time = "1200\(Self.two(second)).00"
      return Self.frame("GNGSA,A,3,01,02,03,04,,,,,,,,,2.00,1.00,1.00")
        + Self.frame("GNGGA,\(time),4723.12345,N,00833.12345,E,1,08,1.00,400.0,M,47.0,M,,")
        + Self.frame("GNRMC,\(time),A,4723.12345,N,00833.12345,E,0.1,,010626,,,A")
    }
    // The second that is played last is delivered.
    #expect(line.fixes.last?.time.calendar.second == 39)
  }

  @Test func severalTalkersGiveOnePositionASecond() {
    var line = Line()
    line.play(seconds: 40) { second in
      let rest = "GGA,0209\(Self.two(second)).000,4404.1351,N,12118.8556,W,1,"
      return Self.frame("GP\(rest)10,0.9,1123.9,M,-19.6,M,,0000")
        + Self.frame("GL\(rest)02,0.9,1123.9,M,-19.6,M,,0000")
        + Self.frame("GNGSA,A,3,15,17,30,28,01,19,24,11,,,,,1.8,0.9,1.5")
        + Self.frame(
          "GNRMC,0209\(Self.two(second)).000,A,4404.1351,N,12118.8556,W,0.04,359.11,050219,,,A")
    }
    #expect(line.fixes.count >= 20)
    let seconds = line.fixes.map(\.time.secondsSince1970)
    #expect(Set(seconds).count == seconds.count)
  }

  private static func gga(_ second: Int) -> [UInt8] {
    frame("GPGGA,1200\(two(second)).00,4723.12345,N,00833.12345,E,1,08,1.00,400.0,M,47.0,M,,")
  }

  @Test func ggaAloneTakesTheDateOfATrustedClock() {
    let noon = UTCTime(year: 2026, month: 6, day: 1, hour: 12, minute: 0, second: 0)
    var line = Line(clock: noon)
    line.play(seconds: 40, Self.gga)
    #expect(line.fixes.count >= 20)
    #expect(line.fixes.last?.time.rfc3339(fractionDigits: 0).hasPrefix("2026-06-01T12:00:") == true)
    #expect(
      line.report()["fixes.date_from"] == .text("the board's clock: the receiver sends no date"))
  }

  @Test func ggaAloneWithoutATrustedClockIsExplained() {
    var line = Line()
    line.play(seconds: 40, Self.gga)
    #expect(line.fixes.isEmpty)
    #expect(
      line.report()["fixes.date_from"]
        == .text(
          "unknown: the receiver sends no date, and the board's clock is not known to be right"))
  }
}
