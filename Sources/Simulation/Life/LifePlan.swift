import BinnacleBasics
import BinnacleModel

/// The faults and the person of one run of a board with a launcher.
struct LifePlan: Sendable {
  enum Action: Sendable, Equatable {
    case killDaemon(absentFor: Interval)
    case stopDaemon(absentFor: Interval)
    case killLauncher(absentFor: Interval)
    case stopLauncher(absentFor: Interval)
    case cutPower(seed: UInt64)
    case shortenMemory(for: Interval)
    /// The lamp of the indicator has a fault for this time.
    case breakLamp(SimulatedPanel.LampFault, for: Interval)
    case mendLamp
    case command(ConsentRequest)
    /// HOME is pressed for this time.
    case home(Interval)
    /// A person starts the program of an app in a terminal, or without one.
    case startByHand(app: Int, hasTerminal: Bool)
    /// The kernel or a person kills the first process of an app.
    case kill(app: Int)
  }

  let actions: [(at: Instant, action: Action)]
  let end: Instant
  /// The time between two locations of the receiver.
  let period: Interval

  /// - Parameters:
  ///   - random: draws the plan.
  ///   - faults: draws faults of the lamp; nil: the lamp works.
  init(random: inout Random, lampFaults faults: Random? = nil) {
    // A long run has time for the pauses between launches.
    let isLong = random.chance(0.04)
    let seconds: Double = isLong ? 3_000 : 60 + 140 * random.unit()
    period = .seconds(isLong ? 8 : [1, 1, 2, 4][Int(random.next() % 4)])
    end = .zero + .milliseconds(Int64(seconds * 1_000))
    var actions: [(at: Instant, action: Action)] = []
    func add(_ action: Action) {
      let at = Instant.zero + .microseconds(Int64(1e6 * (1 + (seconds - 1) * random.unit())))
      actions.append((at, action))
    }
    let names = LifeCrowd.manifests.map(\.identifier)
    actions.append((.zero + .milliseconds(200), .command(.allow(app: names[0], .whenInUse))))
    actions.append((.zero + .milliseconds(210), .command(.allow(app: names[1], .always))))
    actions.append((.zero + .milliseconds(220), .command(.allow(app: names[2], .always))))
    for _ in 0..<random.next() % 3 { add(.killDaemon(absentFor: LifePlan.time(6, &random))) }
    if random.chance(0.3) {
      // Without a daemon for a minute the launcher lets all apps go on.
      let isLong = random.chance(0.4)
      add(.stopDaemon(absentFor: isLong ? .seconds(75) : LifePlan.time(40, &random)))
    }
    for _ in 0..<random.next() % 3 { add(.killLauncher(absentFor: LifePlan.time(20, &random))) }
    if random.chance(0.2) { add(.stopLauncher(absentFor: LifePlan.time(20, &random))) }
    if random.chance(0.4) { add(.cutPower(seed: random.next())) }
    if random.chance(0.4) { add(.shortenMemory(for: LifePlan.time(90, &random))) }
    for _ in 0..<Int(6 + 20 * random.unit()) { add(LifePlan.actionOfPerson(names, &random)) }
    for fault in LifePlan.lampFaults(seconds, faults) { actions.append(fault) }
    let order = actions.indices.sorted { (actions[$0].at, $0) < (actions[$1].at, $1) }
    self.actions = order.map { actions[$0] }
  }

  /// Faults of the lamp at any time of a run, one for each 100 s and one more.
  private static func lampFaults(
    _ seconds: Double, _ random: Random?
  ) -> [(at: Instant, action: Action)] {
    guard var random else { return [] }
    return (0..<Int(1 + seconds / 100)).map { _ in
      let at = Instant.zero + .microseconds(Int64(1e6 * (1 + (seconds - 1) * random.unit())))
      let faults = SimulatedPanel.LampFault.allCases
      let fault = faults[Int(random.next() % UInt64(faults.count))]
      return (at, .breakLamp(fault, for: LifePlan.time(120, &random)))
    }
  }

  private static func actionOfPerson(_ names: [String], _ random: inout Random) -> Action {
    let app = [0, 0, 0, 1, 1, 2][Int(random.next() % 6)]
    let drawn = random.unit()
    if drawn < 0.35 { return .command(.start(app: names[app])) }
    if drawn < 0.45 { return .command(.quit(app: names[app])) }
    if drawn < 0.65 { return .home(.milliseconds(120)) }
    if drawn < 0.70 { return .home(.milliseconds(2_300)) }
    if drawn < 0.75 { return .command(.deny(app: names[app])) }
    if drawn < 0.83 {
      return .command(.allow(app: names[app], app == 0 ? .whenInUse : .always))
    }
    if drawn < 0.87 { return .command(.background(app: names[app])) }
    if drawn < 0.91 { return .command(.foreground(app: names[app])) }
    if drawn < 0.95 { return .startByHand(app: app, hasTerminal: random.chance(0.5)) }
    return .kill(app: app)
  }

  /// A time up to so many seconds; short times are as likely as long ones.
  private static func time(_ secondsMax: Double, _ random: inout Random) -> Interval {
    .milliseconds(Int64(100 + 1_000 * secondsMax * random.unit() * random.unit()))
  }
}
