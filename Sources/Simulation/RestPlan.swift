import Accelerometers
import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The rests of one run.
///
/// On a third of the boards updates pause soon, and the receiver sleeps soon after, while faults occur. On most of
/// these boards the body departs after a rest, and on some of them the accelerometer fails at about the same time. The
/// plan has its own random numbers, so that a journey is otherwise the same with and without the plan.
struct RestPlan: Sendable {
  /// The way in which the daemon reads the chip (`Docs/DESIGN.md`, "While updates pause").
  enum Reading: CaseIterable, Sendable {
    /// By bursts of the chip's FIFO, which are rare while updates pause.
    case bursts
    /// By bursts, and by the chip's own interrupt while updates pause.
    case line
    /// Through a driver of the kernel: every sample, at all times.
    case kernel

    /// The faults that the daemon can notice.
    ///
    /// The daemon reads only the identity register of a chip that detects motion by itself, once a minute. A FIFO has
    /// integers only.
    fileprivate var faults: [Fault] {
      switch self {
      case .bursts: [.unplugged, .silent, .stuck, .frozen, .saturated]
      case .line: [.unplugged]
      case .kernel: [.unplugged, .stuck, .frozen, .saturated, .damaged]
      }
    }
  }

  /// The faults of an accelerometer.
  enum Fault: String, CaseIterable, Sendable {
    /// The chip does not answer any more.
    case unplugged
    /// The chip answers and makes no samples.
    case silent
    /// The reading thread hangs: the engine gets no samples and no failure.
    case stuck
    /// The chip repeats the same sample.
    case frozen
    /// The samples are at the ends of the range.
    case saturated
    /// The samples are not numbers.
    case damaged

    /// Whether the engine gets a report that samples have stopped.
    var isTold: Bool { self == .unplugged || self == .silent }
  }

  /// A fault and its time.
  struct Trouble: Equatable, Sendable {
    var fault: Fault
    var start: Instant
    var end: Instant
  }

  /// Whether updates pause soon.
  let isSoon: Bool
  /// A path with a rest before it, which replaces the drawn path; nil: the drawn path stays.
  private(set) var path: Body.Path?
  /// The instant at which the path's legs begin.
  private(set) var departure = Instant.zero
  /// nil: there is no accelerometer.
  private(set) var reading: Reading?
  private(set) var trouble: Trouble?
  /// The run continues at least until this instant.
  private(set) var end = Instant.zero

  private static let dwell = Interval.seconds(8)
  private static let restBeforeSleep = Interval.seconds(3)
  /// The time from the departure to the end of a rest that a broken chip reports.
  private static let afterwards = Interval.seconds(50)
  /// The same time for a board on which nothing reports motion while its receiver sleeps.
  private static let longAfterwards = Interval.seconds(115)
  /// A broken chip stays broken.
  private static let forEver = Instant.zero + .seconds(1_000_000)

  /// No sequence pauses soon, and there is no accelerometer.
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
    // The departure is during the faults or after them. A broken chip matters only where no other part reports motion,
    // while the receiver sleeps.
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

  /// Adjusts the settings for a board of this plan.
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

  /// The names of the drawn parts, for the description of the run.
  var words: [String] {
    let motionSource = reading.map { ["accelerometer-\($0)"] } ?? []
    return motionSource + (trouble.map { [$0.fault.rawValue] } ?? [])
  }

  /// The fault of the accelerometer at an instant.
  func fault(at now: Instant) -> Fault? {
    trouble.flatMap { $0.start <= now && now < $0.end ? $0.fault : nil }
  }

  /// The fault of the accelerometer at any time between two instants.
  func trouble(from start: Instant, to end: Instant) -> Trouble? {
    trouble.flatMap { $0.start <= end && start < $0.end ? $0 : nil }
  }
}
