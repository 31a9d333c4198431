import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The actions of the virtual clients of one run, drawn from the run's seed.
struct ClientScript: Sendable {
  /// The daemon's own user in every run; the engine serves root and this user.
  static let daemonUserID: UInt32 = 990
  let events: [(at: Instant, event: Event)]

  /// One client that requests positions all the time.
  static let steady = ClientScript(events: [
    (
      .zero, .client(ClientID(number: 1), .connected(operatorPeer(processID: 7), program: "app"))
    ),
    (.zero, .client(ClientID(number: 1), .updatesOpened(SequenceID(number: 1), .default))),
  ])

  /// No clients.
  static let none = ClientScript(events: [])

  private init(events: [(at: Instant, event: Event)]) { self.events = events }

  init(plan: FaultPlan, path: Body.Path, random: inout Random) {
    var events: [(Instant, Event)] = []
    var next: UInt32 = 1
    func connect(_ userID: UInt32, at instant: Instant) -> ClientID {
      let client = ClientID(number: next)
      next += 1
      let app = Self.app(userID, number: client.number)
      // The app of the manifest is started in a terminal, so it is in the foreground.
      let peer = Peer(
        userID: userID, processID: Int32(1_000 + next), app: app,
        hasTerminal: app == .listed(OutstandingLedger.backgroundApp),
        isOperator: (userID == 0 || userID == Self.daemonUserID)
          && app != .listed(OutstandingLedger.backgroundApp))
      events.append((instant, .client(client, .connected(peer, program: "app\(next)"))))
      return client
    }
    func configuration() -> LiveConfiguration {
      LiveConfiguration.allCases[Int(random.next() % UInt64(LiveConfiguration.allCases.count))]
    }
    // Fitness is no configuration for a motorway: the pedestrian's model ends at 30 m/s (Docs/SOURCES.md, U4).
    func steadyConfiguration() -> LiveConfiguration {
      let drawn = configuration()
      return path == .motorway && drawn == .fitness ? .default : drawn
    }
    // One client stays to the end, for the liveness check; one client must get no data.
    let steady = connect(Self.daemonUserID, at: Self.seconds(0.1))
    events.append(
      (
        Self.seconds(0.2),
        .client(steady, .updatesOpened(SequenceID(number: 1), steadyConfiguration()))
      ))
    let stranger = connect(1_000, at: Self.seconds(0.3))
    events.append(
      (Self.seconds(0.4), .client(stranger, .updatesOpened(SequenceID(number: 1), configuration())))
    )
    if plan.kinds.contains(.clientsComeAndGo) {
      for _ in 0..<6 {
        let start = 0.5 + 30 * random.unit()
        let client = connect(random.chance(0.7) ? 0 : 1_001, at: Self.seconds(start))
        for number: UInt32 in 1...3 {
          let opened = start + 3 * random.unit()
          events.append(
            (
              Self.seconds(opened),
              .client(client, .updatesOpened(SequenceID(number: number), configuration()))
            ))
          if random.chance(0.5) {
            events.append(
              (
                Self.seconds(opened + 8 * random.unit()),
                .client(client, .updatesClosed(SequenceID(number: number)))
              ))
          }
        }
        events.append((Self.seconds(start + 1), .client(client, .requested(next, .status))))
        if random.chance(0.7) {
          events.append(
            (Self.seconds(start + 3 + 30 * random.unit()), .client(client, .disconnected)))
        }
      }
    }
    if plan.kinds.contains(.hostileNumbers) {
      Self.addHostile(to: &events, client: connect(0, at: Self.seconds(2)), random: &random)
    }
    // A sort that keeps the order of equal instants, so that a script is the same on every machine.
    let order = events.indices.sorted { (events[$0].0, $0) < (events[$1].0, $1) }
    self.events = order.map { (at: events[$0].0, event: events[$0].1) }
  }

  /// Some clients are processes of one app, one app may wait in the background, and some apps cannot be identified.
  private static func app(_ userID: UInt32, number: UInt32) -> AppID {
    switch number % 5 {
    case 0: .unresolved(userID: userID)
    case 1, 4: .unlisted(userID: userID, executable: "/usr/bin/tracker")
    case 2: .unlisted(userID: userID, executable: "/usr/bin/walker")
    case _: .listed(OutstandingLedger.backgroundApp)
    }
  }

  /// Whether an app gets locations; the log holds the grant of the app with a manifest, or not.
  static func isServed(_ peer: Peer, isAllowed: Bool) -> Bool {
    if case .listed = peer.app { return isAllowed }
    return isOperator(peer)
  }

  /// Whether a process without a manifest is a tool of an operator, which is served without the answer of a person.
  static func isOperator(_ peer: Peer) -> Bool { peer.isOperator }

  /// A process of an operator.
  static func operatorPeer(processID: Int32) -> Peer {
    Peer(userID: 0, processID: processID, mayOperate: true, isOperator: true)
  }

  /// Whether a reading of the log has the grant of the app with a manifest.
  static func isAllowed(by reading: StateReading) -> Bool {
    reading.obstacle == nil
      && reading.records.entries.contains { $0.name.kind == RecordTable.grant.number }
  }

  /// Whether the event is a beginning by the client that stays to the end.
  static func isSteady(_ event: Event) -> Bool {
    switch event {
    case .client(let client, .connected), .client(let client, .updatesOpened): client.number == 1
    case .client, .receiver, .line, .accelerometer, .storage, .track, .launcher, .appsRead,
      .consentSettingsRead, .wallClockRead,
      .started, .stopRequested, .deadlineReached:
      false
    }
  }

  /// Adds events that reuse a number, close sequences that are not open, and exceed the limit of sequences.
  private static func addHostile(
    to events: inout [(Instant, Event)], client: ClientID, random: inout Random
  ) {
    for number: UInt32 in [0, 7, 7, UInt32.max] {
      events.append(
        (
          seconds(3 + random.unit()),
          .client(client, .updatesOpened(SequenceID(number: number), .default))
        ))
    }
    for number: UInt32 in [99, UInt32.max - 1, 7, 7] {
      events.append(
        (
          seconds(3.5 + 2 * random.unit()),
          .client(client, .updatesClosed(SequenceID(number: number)))
        ))
    }
    for number: UInt32 in 100..<160 {
      events.append(
        (seconds(6), .client(client, .updatesOpened(SequenceID(number: number), .fitness))))
    }
    events.append((seconds(12 + 20 * random.unit()), .client(client, .disconnected)))
  }

  private static func seconds(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64(seconds * 1e9))
  }
}
