import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The events of the state in one run: location services go off and on, the disk fails, the power or the daemon fails.
struct StatePlan: Sendable {
  enum Action: Equatable, Sendable {
    case request(Event)
    /// A call of the disk fails, after so many further calls.
    case failDisk(calls: Int, SimulatedDisk.Damage)
    case cutPower(seed: UInt64)
    /// The daemon is killed and started again.
    case killDaemon
  }

  /// In the order of time.
  let actions: [(at: Instant, action: Action)]

  /// A plan without actions.
  static let none = StatePlan()

  private init() { actions = [] }

  /// Has its own random numbers, so that a journey is otherwise the same with and without the plan.
  init(random: inout Random) {
    var actions: [(at: Instant, action: Action)] = []
    if random.chance(0.4) {
      for number in 0..<(1 + UInt32(random.next() % 4)) {
        let request = StatePlan.request(1_000 + number, isOn: random.chance(0.4))
        actions.append((StatePlan.within(1...34, &random), request))
      }
    }
    if random.chance(0.3) {
      for _ in 0..<3 {
        let damage = SimulatedDisk.Damage.allCases[Int(random.next() % 3)]
        let failure = Action.failDisk(calls: Int(random.next() % 3), damage)
        actions.append((StatePlan.within(0.5...30, &random), failure))
      }
    }
    if random.chance(0.25) {
      actions.append((StatePlan.within(3...32, &random), .cutPower(seed: random.next())))
    }
    if random.chance(0.5) { StatePlan.addDefaults(to: &actions, &random) }
    if random.chance(0.25) {
      actions.append((StatePlan.within(3...32, &random), .killDaemon))
    }
    // Location services are on at the end, or no client would get another fix; the disk works again by then.
    actions.append((.zero + .milliseconds(40_500), StatePlan.request(2_000, isOn: true)))
    let order = actions.indices.sorted { (actions[$0].at, $0) < (actions[$1].at, $1) }
    self.actions = order.map { actions[$0] }
  }

  /// The faults of the disk, the power cuts and the daemon's ends of a board with apps.
  init(ofApps random: inout Random) {
    var actions: [(at: Instant, action: Action)] = []
    if random.chance(0.3) {
      for _ in 0..<3 {
        let damage = SimulatedDisk.Damage.allCases[Int(random.next() % 3)]
        actions.append(
          (
            StatePlan.within(0.5...34, &random),
            .failDisk(calls: Int(random.next() % 3), damage)
          ))
      }
    }
    for _ in 0..<random.next() % 3 {
      actions.append((StatePlan.within(3...37, &random), .cutPower(seed: random.next())))
    }
    for _ in 0..<random.next() % 3 {
      actions.append((StatePlan.within(3...37, &random), .killDaemon))
    }
    let order = actions.indices.sorted { (actions[$0].at, $0) < (actions[$1].at, $1) }
    self.actions = order.map { actions[$0] }
  }

  /// Whether calls of the disk fail.
  var failsDisk: Bool {
    actions.contains { if case .failDisk = $0.action { true } else { false } }
  }

  private static func request(_ number: UInt32, isOn: Bool) -> Action {
    .request(.client(ClientID(number: 1), .requested(number, .setServices(isOn: isOn))))
  }

  /// Adds defaults: two programs of one app, and one program of another app.
  private static func addDefaults(
    to actions: inout [(at: Instant, action: Action)], _ random: inout Random
  ) {
    for number in UInt32(201)...203 {
      let client = ClientID(number: number)
      let app = AppID.listed(number == 203 ? "org.example.other" : "org.example.app")
      let peer = Peer(userID: ClientScript.daemonUserID, processID: 200, app: app)
      let start = StatePlan.within(0.5...5, &random)
      actions.append((start, .request(.client(client, .connected(peer, program: "app")))))
      actions.append((start, .request(.client(client, .requested(1, .openDefaults)))))
      for request in UInt32(2)..<(2 + UInt32(random.next() % 40)) {
        let entries = (0...random.next() % 3).map { _ in
          DefaultsEntry(
            "key \(random.next() % 4)", random.chance(0.8) ? .integer(Int64(request)) : nil)
        }
        let set = Event.client(
          client, .requested(request, .setDefaults(isLast: random.chance(0.9), entries)))
        actions.append((max(start, StatePlan.within(1...34, &random)), .request(set)))
      }
    }
  }

  private static func within(_ range: ClosedRange<Double>, _ random: inout Random) -> Instant {
    let seconds = range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    return Instant(nanoseconds: Int64(seconds * 1e9))
  }
}
