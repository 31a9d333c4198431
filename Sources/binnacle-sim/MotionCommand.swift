import BinnacleBasics
import BinnaclePosix
import Motion
import Simulation

/// `binnacle-sim motion`: the detector's verdicts on a recording.
struct MotionCommand {
  /// The number of complaints that are printed individually; further complaints are counted.
  private static let complaintsMax = 20

  /// The names of the profiles.
  private enum ProfileName: String, CaseIterable {
    case standard = "default"
    case quiet

    var profile: MotionProfile {
      switch self {
      case .standard: .standard
      case .quiet: .quiet
      }
    }
  }

  private let path: String
  private let setting: MotionReplay.Setting
  private let shows: Shows

  /// The printed part of the verdicts.
  private enum Shows {
    case changes
    case evidence
    case hops
  }

  init(_ arguments: Arguments) throws {
    guard let path = arguments.positionals.first else {
      throw Arguments.UsageError("motion needs FILE.csv, FILE.csv.gz or -")
    }
    self.path = path
    let seconds = try arguments.number("dwell", in: 0...86_400) ?? 60
    let name: ProfileName = try arguments.choice("profile") ?? .standard
    setting = MotionReplay.Setting(
      profile: name.profile, dwell: Interval(nanoseconds: Int64(seconds * 1e9)),
      witnesses: arguments.has("no-gnss") ? .accelerometer : .both)
    if arguments.has("hops"), arguments.has("evidence") {
      throw Arguments.UsageError("motion: --evidence and --hops are two ways to print")
    }
    shows = arguments.has("hops") ? .hops : arguments.has("evidence") ? .evidence : .changes
  }

  func run() throws {
    var input = try RecordingInput(path)
    var reading = Reading(setting: setting)
    let damage = try input.readAll { bytes in
      reading.take(bytes)
      if let refusal = reading.refusal { Output.fail("\(path): \(refusal)", .dataDamaged) }
      try say(&reading.hops)
    }
    reading.finish()
    if let refusal = reading.refusal { Output.fail("\(path): \(refusal)", .dataDamaged) }
    try say(&reading.hops)
    for complaint in reading.complaints { Output.complain("\(path): \(complaint)") }
    if let damage { Output.complain("\(path): \(damage); what came before was read") }
    let counts = reading.summary(complaintsMax: MotionCommand.complaintsMax)
    for count in counts { Output.complain("\(path): \(count)") }
    if reading.rowCount == 0 {
      Output.fail("\(path) \(MotionCommand.noSamples)", .dataDamaged)
    }
    if damage != nil || reading.rejectedCount > 0 { ExitStatus.dataDamaged.exit() }
  }

  /// The complaint about a recording without any usable line.
  static let noSamples = "holds no samples; wanted are lines of t_s,ax_g,ay_g,az_g"

  /// The complaint about a header line without the required columns.
  static func text(line: Int, missing names: [String]) -> String {
    "line \(line) names no \(names.joined(separator: ", no ")); "
      + "wanted are t_s,ax_g,ay_g,az_g,gps_speed in any order"
  }

  /// The warning for an accelerometer with a dead axis.
  private static func text(_ axis: AccelerometerAxis) -> String {
    "a\(axis.rawValue)_g keeps one number while the board moves: the other axes are judged alone"
  }

  private func say(_ hops: inout [MotionReplay.Hop]) throws {
    for hop in hops where hop.isChange || shows == .hops {
      switch shows {
      case .hops: try Output.say(MotionText.hop(hop))
      case .changes, .evidence:
        let verdict = hop.verdict
        try Output.say("\(MotionText.seconds(verdict.since)),\(verdict.isStationary ? 1 : 0)")
        if shows == .evidence { try Output.say("# " + MotionText.evidence(verdict)) }
      }
    }
    hops.removeAll(keepingCapacity: true)
  }

  /// The state of a recording that is being read: the verdicts that are not printed yet, and all complaints.
  private struct Reading {
    private var sheet = MotionSheet()
    private var replay: MotionReplay
    var hops: [MotionReplay.Hop] = []
    private(set) var complaints: [String] = []
    private(set) var rejectedCount = 0
    /// The reason why the whole recording is unusable.
    private(set) var refusal: String?
    private var span = SampleSpan()
    private var firstDamagedSample: Int?
    private var firstDamagedSpeed: Int?

    init(setting: MotionReplay.Setting) {
      replay = MotionReplay(settings: [setting])
    }

    var rowCount: Int { sheet.rowCount }

    mutating func take(_ bytes: [UInt8]) {
      var items: [MotionSheet.Item] = []
      sheet.read(bytes) { items.append($0) }
      for item in items { take(item) }
    }

    mutating func finish() {
      var items: [MotionSheet.Item] = []
      sheet.finish { items.append($0) }
      for item in items { take(item) }
      replay.finish { hops.append($0) }
    }

    private mutating func take(_ item: MotionSheet.Item) {
      switch item {
      case .row(let row):
        span.take(row)
        let before = (replay.damagedSampleCount, replay.damagedSpeedCount)
        replay.take(row) { hops.append($0) }
        if replay.damagedSampleCount > before.0 {
          firstDamagedSample = firstDamagedSample ?? row.line
        }
        if replay.damagedSpeedCount > before.1 {
          firstDamagedSpeed = firstDamagedSpeed ?? row.line
        }
      case .columnsMissing(let line, let names):
        refusal = MotionCommand.text(line: line, missing: names)
      case .rejected(let line, let complaint):
        rejectedCount += 1
        if complaints.count < MotionCommand.complaintsMax {
          complaints.append("line \(line) \(complaint.rawValue), left out")
        }
      }
    }

    /// The changes to the order of the rows.
    private var orderSentences: [String] {
      let order = sheet.order
      let told: [(tally: RowOrder.Tally, one: String, more: String)] = [
        (
          order.sorted, "line is out of order and was sorted",
          "lines are out of order and were sorted"
        ),
        (
          order.simultaneous, "sample has the time of the one before and was spread",
          "samples have the time of the one before and were spread"
        ),
        (
          order.restarts, "time the clock was set back; time was taken to go on",
          "times the clock was set back; time was taken to go on"
        ),
      ]
      return told.filter { $0.tally.count > 0 }.map { tally, one, more in
        CountText.words(tally.count, one, more) + ", the first in line \(tally.firstLine)"
      }
    }

    /// The counts of the recording, in sentences.
    func summary(complaintsMax: Int) -> [String] {
      var sentences: [String] = []
      if rejectedCount > complaintsMax {
        sentences.append("\(rejectedCount) lines in all were left out")
      }
      if let line = firstDamagedSample {
        sentences.append(
          CountText.words(
            replay.damagedSampleCount, "sample is no acceleration", "samples are no accelerations")
            + ", the first in line \(line)")
      }
      if let line = firstDamagedSpeed {
        sentences.append(
          CountText.words(replay.damagedSpeedCount, "speed is no speed", "speeds are no speeds")
            + ", the first in line \(line)")
      }
      return sentences + orderSentences + replay.deadAxes.map(MotionCommand.text) + span.doubts
    }
  }
}
