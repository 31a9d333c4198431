import Accelerometers
import BinnacleBasics
import BinnacleModel
import LocationEngine

/// How one run rests.
///
/// On a third of the boards updates pause soon, and the receiver sleeps soon after, while things go wrong. On most of these
/// the body sets out after a rest, and on some of them the accelerometer breaks around then. Drawn apart, so that a journey
/// is otherwise the same with and without it.
struct RestPlan: Sendable {
  /// How the chip is read (`Docs/DESIGN.md`, "While updates pause").
  enum Reading: CaseIterable, Sendable {
    /// By bursts of its FIFO, which come seldom while updates pause.
    case bursts
    /// The same, and by its own interrupt while updates pause.
    case line
    /// Through a driver of the kernel: every sample, as always.
    case kernel

    /// What can go wrong that anybody could notice: a chip that looks for movement by itself is asked once a minute who
    /// it is, and nothing else; a FIFO has whole numbers only.
    fileprivate var faults: [Fault] {
      switch self {
      case .bursts: [.unplugged, .silent, .stuck, .frozen, .saturated]
      case .line: [.unplugged]
      case .kernel: [.unplugged, .stuck, .frozen, .saturated, .damaged]
      }
    }
  }

  /// What goes wrong with an accelerometer.
  enum Fault: String, CaseIterable, Sendable {
    /// It does not answer any more.
    case unplugged
    /// It answers and makes no samples.
    case silent
    /// Who reads it hangs: nothing is told, not even that.
    case stuck
    /// The same numbers for ever.
    case frozen
    /// The ends of its range.
    case saturated
    /// What is no number.
    case damaged

    /// Whether the engine is told that there are no samples any more.
    var isTold: Bool { self == .unplugged || self == .silent }
  }

  /// A fault and the time of it.
  struct Trouble: Equatable, Sendable {
    var fault: Fault
    var start: Instant
    var end: Instant
  }

  /// Whether updates pause soon.
  let isSoon: Bool
  /// A path with a rest before it, in place of the one that was drawn; nil: that one.
  private(set) var path: Body.Path?
  /// When its legs begin.
  private(set) var departure = Instant.zero
  /// nil: there is no accelerometer.
  private(set) var reading: Reading?
  private(set) var trouble: Trouble?
  /// The run is to go on at least until here.
  private(set) var end = Instant.zero

  private static let dwell = Interval.seconds(8)
  private static let restBeforeSleep = Interval.seconds(3)
  /// From setting out to the end of a rest that a broken chip tells of.
  private static let afterwards = Interval.seconds(50)
  /// The same of a board on which nothing tells of motion while its receiver sleeps.
  private static let longAfterwards = Interval.seconds(115)
  /// A broken chip stays broken.
  private static let forEver = Instant.zero + .seconds(1_000_000)

  /// Nothing pauses soon, and there is no accelerometer.
  static let none = RestPlan()

  private init() { isSoon = false }

  init(seed: UInt64) {
    var random = Random(seed: seed ^ 0xD0_2E)
    isSoon = random.chance(0.33)
    guard isSoon else { return }
    let readings: [Reading] = [.bursts, .kernel, .line, .bursts, .kernel]
    if random.chance(0.85) { reading = readings[Int(5 * random.unit())] }
    guard random.chance(0.8) else { return }
    let isTroubled = reading != nil && random.chance(0.8)
    // While things go wrong, or after that; a chip that breaks is believed or not only where nothing else tells of motion, when
    // the receiver sleeps.
    let setsOut =
      Instant.zero
      + .milliseconds(isTroubled ? 60_000 : 25_000)
      + .milliseconds(Int64((isTroubled ? 20_000 : 45_000) * random.unit()))
    let outings: [(Body.Path, rest: Int64)] = [
      (.journey, 10), (.errand, 0), (.theft, 600), (.journey, 10), (.idling, 0),
    ]
    let outing = outings[Int((isTroubled ? 4 : 5) * random.unit())]
    path = outing.0
    departure = setsOut - .seconds(outing.rest)
    end = setsOut + (reading == nil ? RestPlan.longAfterwards : RestPlan.afterwards)
    guard let reading, isTroubled else { return }
    let start = setsOut - .milliseconds(10_000) + .milliseconds(Int64(11_000 * random.unit()))
    let kinds = reading.faults
    trouble = Trouble(
      fault: kinds[Int(Double(kinds.count) * random.unit())], start: start,
      end: random.chance(0.15) ? start + .seconds(6) : RestPlan.forEver)
    end = setsOut + RestPlan.longAfterwards
  }

  /// The settings of such a board.
  func adjust(_ configuration: inout Configuration) {
    guard isSoon else { return }
    for path in [
      \DwellSettings.default, \.fitness, \.automotiveNavigation, \.otherNavigation, \.airborne,
    ] {
      configuration.motion.dwells[keyPath: path] = RestPlan.dwell
    }
    configuration.power.restBeforeSleep = RestPlan.restBeforeSleep
    configuration.hasAccelerometer = reading != nil
  }

  /// For the words that tell what was drawn.
  var words: [String] {
    let feeling = reading.map { ["feeling-\($0)"] } ?? []
    return feeling + (trouble.map { [$0.fault.rawValue] } ?? [])
  }

  /// What is wrong with the accelerometer at an instant.
  func fault(at now: Instant) -> Fault? {
    trouble.flatMap { $0.start <= now && now < $0.end ? $0.fault : nil }
  }

  /// What was wrong with it at any time from one instant to another.
  func trouble(from start: Instant, to end: Instant) -> Trouble? {
    trouble.flatMap { $0.start <= end && start < $0.end ? $0 : nil }
  }
}
