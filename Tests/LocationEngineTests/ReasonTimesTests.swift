import BinnacleBasics
import BinnacleModel
import Simulation
import Testing

@testable import LocationEngine

/// The next fix and the next search in the reasons of an app, with a simulated receiver.
@Suite struct ReasonTimesTests {
  private static let app = AppID.listed("org.example.a")

  /// The text of a condition of the app; empty if the condition is not listed.
  private static func text(_ key: String, _ desk: EngineDesk) -> String {
    let rows = desk.engine.reasonRows(of: app, at: desk.now)
    return rows.first { $0[.rowKey] == key }?[.rowText] ?? ""
  }

  @Test func aReceiverWithFixesHasTheNextFixWithinASecond() {
    var desk = EngineDesk(.m10)
    desk.run(seconds: 1)
    desk.open(app: Self.app)
    desk.run(seconds: 30)
    #expect(Self.text("fix", desk).hasSuffix(" s old. The next fix is expected within 1 s."))
  }

  @Test func aReceiverWithoutAViewOfTheSkyHasTheTimeOfAColdStart() {
    var desk = EngineDesk(.m10, skies: [World.Sky(start: .zero, visibility: 0)])
    desk.run(seconds: 1)
    desk.open(app: Self.app)
    desk.run(seconds: 30)
    let next = " Under an open sky the next fix is expected in about 32 s (cold start)."
    #expect(Self.text("fix", desk) == "There was no fix since the daemon's start." + next)
    let report = desk.report()
    #expect(report["power.next_fix"] == .text("cold start"))
    #expect(report["power.next_fix_s"] == .number(32))
  }

  @Test func aSilentReceiverHasTheTimeOfTheNextSearch() {
    var desk = EngineDesk(.m10)
    desk.receiver.removePower(at: .zero)
    desk.run(seconds: 1)
    desk.open(app: Self.app)
    var texts: [String] = []
    for _ in 0..<60 {
      desk.run(seconds: 1)
      texts.append(Self.text("receiver", desk))
    }
    let next = "The receiver sends nothing. The daemon tries again in "
    let hasNext = texts.contains { $0.hasPrefix(next) }
    #expect(hasNext, "\(texts)")
  }
}
