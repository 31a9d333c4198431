import BinnacleBasics
import BinnacleModel

/// A last phase of some runs: a threat disturbs the reception, and the engine must report its beginning and end.
///
/// The reports of a receiver depend on its generation (Docs/SOURCES.md, U1 and U7). SEC-SIG reports both threats.
/// NAV-STATUS of protocol 18 and later reports only spoofing, and only its beginning. Generations 6 and 7 report
/// nothing.
struct ThreatTrial: Sendable {
  private let kind: World.Threat.Kind
  private let generation: Generation

  /// SEC-SIG comes every 5 s and restarts its count when the rate changes; an epoch and a busy receiver add time.
  private static let patience = Interval.seconds(12)
  /// The time in seconds until a receiver is configured after the last fault: every step once.
  private static let configuringMax = 40

  /// Returns nil in most runs.
  init?(generation: Generation, random: inout Random) {
    let kinds = World.Threat.Kind.allCases
    let kind = kinds[Int(random.next() % UInt64(kinds.count))]
    guard random.chance(0.3) else { return nil }
    self.kind = kind
    self.generation = generation
  }

  func run<Tested: EngineUnderTest>(on board: inout SimulatedBoard<Tested>) {
    guard isConfigured(&board) else { return }
    // The first SEC-SIG of the run has arrived.
    board.run(until: board.now + Self.patience)
    board.askForReport()
    guard board.checkers.violations.isEmpty else { return }
    let before = Word(threat, board.report)
    board.threaten(kind, for: Self.patience)
    board.run(until: board.now + Self.patience)
    board.askForReport()
    let during = Word(threat, board.report)
    // The next report after the end of the threat, and a fix again.
    board.run(until: board.now + Self.patience + .seconds(5))
    board.askForReport()
    let after = Word(threat, board.report)
    func check(_ rule: String, _ holds: Bool) {
      if !holds { board.checkers.fail("\(rule): \(before), then \(during), then \(after)") }
    }
    check("\(threat) was there before it began", !before.isPresent)
    check("\(threat) was forgotten", !before.isIndicated || after.isIndicated)
    guard isTold else { return check("\(threat) was made up", !during.isPresent) }
    check("\(threat) was not indicated", during.isIndicated)
    check("\(threat) did not begin once", during.beginnings == before.beginnings + 1)
    check("\(threat) was forgotten", after.isIndicated && after.beginnings == during.beginnings)
    check("\(threat) never ended", !after.isPresent)
    if generation == .m10SPG530 { check("\(threat) ended early", during.isPresent) }
  }

  private var threat: String { kind == .spoofing ? "spoofing" : "jamming" }

  private var isTold: Bool {
    kind == .spoofing ? generation.hasSpoofingState : generation == .m10SPG530
  }

  /// Waits until the receiver works as configured; returns false for a listen-only receiver, which reports no threat.
  private func isConfigured<Tested: EngineUnderTest>(_ board: inout SimulatedBoard<Tested>) -> Bool
  {
    for _ in 0..<Self.configuringMax {
      board.askForReport()
      if board.report[.receiverState] == "running" {
        // The engine does not repeat an abandoned command, so SEC-SIG may be off.
        return board.report[.receiverUnanswered] == 0
      }
      guard board.checkers.violations.isEmpty else { return false }
      board.run(until: board.now + .seconds(1))
    }
    return false
  }

  /// The fields of a report about one threat.
  private struct Word: CustomStringConvertible {
    var isIndicated: Bool
    var isPresent: Bool
    var beginnings: Int64

    init(_ threat: String, _ report: Report) {
      isIndicated = report[.threatIndicated("\(threat)")] == true
      isPresent = report[.threatPresent("\(threat)")] == true
      if let count = report[.threatBeginnings("\(threat)")] {
        beginnings = count
      } else {
        beginnings = 0
      }
    }

    var description: String {
      "indicated \(isIndicated), present \(isPresent), begun \(beginnings) times"
    }
  }
}
