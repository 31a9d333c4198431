import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The programs of apps that a launcher starts, or a person by hand: they connect, hold sessions, crash, fork and hang.
struct LifeCrowd: Sendable {
  /// A process with its objects.
  struct Program: Sendable {
    let process: Int32
    let app: Int
    let isByHand: Bool
    let temperament: Temperament
    /// The second process of an app has a sequence of another configuration.
    let isChild: Bool
    var client: ClientID?
    var sequences: [(id: SequenceID, configuration: LiveConfiguration)] = []
    var sessions: [(id: SessionID, session: AppSession)] = []
    var hasBegun = false
    var isHung = false

    /// Processes of one app that run at the same time have different configurations, so that the ledger knows which of
    /// them an update is for.
    var configuration: LiveConfiguration {
      if isByHand { return .automotiveNavigation }
      return isChild ? .otherNavigation : .default
    }
  }

  enum Step: Sendable, Equatable {
    case connect
    /// Makes the planned sessions and updates of the app.
    case begin
    case act
    case crash
    case exit
    case fork
    case endTask(SessionID)
  }

  enum Deed: Sendable {
    case event(ClientID, Event.Client)
    case later(Int32, Step, Interval)
    case end(Int32, signal: Int32?)
    /// A second process of the same group.
    case fork(Int32)
  }

  static let manifests = [
    AppDeclaration(
      identifier: "org.example.tracker", hasBackgroundLocation: true,
      whenInUseText: "Records the route of this vehicle."),
    AppDeclaration(
      identifier: "org.example.guard", hasBackgroundLocation: true,
      whenInUseText: "Guards this vehicle.", alwaysText: "Guards this vehicle all day."),
    AppDeclaration(
      identifier: "org.example.map", whenInUseText: "Shows where you are.",
      alwaysText: "Shows where you have been."),
  ]

  private(set) var programs: [Program] = []
  private var usual: [Temperament]
  /// Whether each app holds a background session, else an always-session.
  private let holdsBackground: [Bool]
  private var random: Random
  private var nextClient: UInt32 = 10
  private var nextObject: UInt32 = 1
  /// From now on all programs are good.
  private var isCalm = false

  init(random: Random) {
    var random = random
    usual = LifeCrowd.manifests.map { _ in
      Temperament.allCases[Int(random.next() % UInt64(Temperament.allCases.count))]
    }
    holdsBackground = [true, random.chance(0.3), false]
    self.random = random
  }

  var words: String { usual.map(\.rawValue).joined(separator: " ") }

  mutating func calmDown() { isCalm = true }

  private func index(_ process: Int32) -> Int? { programs.firstIndex { $0.process == process } }

  func program(_ process: Int32) -> Program? { programs.first { $0.process == process } }

  /// Whether the process of a client is not frozen.
  func isAwake(_ client: ClientID, _ processes: ProcessTable) -> Bool {
    programs.first { $0.client == client }
      .flatMap { processes.process($0.process) }.map { !$0.isFrozen } ?? false
  }

  // MARK: Beginning and end

  /// A program runs from now on.
  mutating func started(_ process: Int32, _ app: Int, isByHand: Bool) -> [Deed] {
    let temperament: Temperament =
      isByHand || isCalm ? .good : Temperament.drawn(usual[app], &random)
    programs.append(
      Program(
        process: process, app: app, isByHand: isByHand, temperament: temperament, isChild: false))
    let soon = Interval.milliseconds(Int64(20 + 900 * random.unit() * random.unit()))
    switch temperament {
    case .crashes:
      return [.later(process, .connect, soon), .later(process, .crash, drawn(1_000))]
    case .exits: return [.later(process, .connect, soon), .later(process, .exit, drawn(1_000))]
    case .silent: return [.later(process, .act, drawn(20_000))]
    case .forks, .daemonizes:
      return [.later(process, .connect, soon), .later(process, .fork, drawn(1_500))]
    case .good, .stubborn, .hangs, .ignoresTermination, .slow:
      return [.later(process, .connect, soon)]
    }
  }

  mutating func forked(_ process: Int32, from parent: Int32) -> [Deed] {
    guard let before = program(parent) else { return [] }
    programs.append(
      Program(
        process: process, app: before.app, isByHand: before.isByHand, temperament: .good,
        isChild: true))
    let connect = Deed.later(process, .connect, drawn(400))
    return before.temperament == .daemonizes
      ? [connect, .later(parent, .exit, drawn(2_000))] : [connect]
  }

  /// A process has ended; returns its client.
  mutating func ended(_ process: Int32) -> ClientID? {
    guard let index = index(process) else { return nil }
    return programs.remove(at: index).client
  }

  /// The daemon has ended: the programs that run connect again.
  mutating func daemonEnded() {
    for index in programs.indices { programs[index].client = nil }
  }

  mutating func removeAll() { programs = [] }

  /// The programs without a connection connect, a short time after the daemon has started.
  mutating func daemonStarted() -> [Deed] {
    programs.filter { $0.client == nil && $0.temperament != .silent && !$0.isHung }.map {
      .later($0.process, .connect, .milliseconds(Int64(50 + 6_000 * random.unit() * random.unit())))
    }
  }

  /// SIGTERM has arrived.
  mutating func terminated(_ process: Int32) -> [Deed] {
    guard let program = program(process), program.temperament != .ignoresTermination,
      !program.isHung
    else { return [] }
    return random.chance(0.7)
      ? [.later(process, .exit, drawn(3_000))] : [.end(process, signal: 15)]
  }

  // MARK: Steps

  /// A process runs again after it was frozen; returns false if it hangs.
  mutating func resumed(_ process: Int32) -> Bool {
    guard let index = index(process) else { return false }
    if programs[index].temperament == .hangs { programs[index].isHung = true }
    return !programs[index].isHung
  }

  /// A process is informed of its phase.
  mutating func informed(_ client: ClientID, of phase: AppPhase) -> [Deed] {
    guard phase == .suspending, let index = programs.firstIndex(where: { $0.client == client }),
      programs[index].temperament == .stubborn, !programs[index].isHung
    else { return [] }
    let id = nextSession()
    programs[index].sessions.append((id, .backgroundTask))
    return [
      .event(client, .sessionOpened(id, .backgroundTask)),
      .later(programs[index].process, .endTask(id), drawn(50_000)),
    ]
  }

  /// A process takes a step, or none while it hangs; the closure gives the peer of a connection.
  mutating func take(_ step: Step, of process: Int32, _ peer: (Program) -> Peer) -> [Deed] {
    guard let index = index(process), !programs[index].isHung else { return [] }
    switch step {
    case .connect: return connect(index, peer)
    case .begin: return begin(index)
    case .act: return act(index)
    case .crash: return [.end(process, signal: random.chance(0.5) ? 11 : 6)]
    case .exit: return [.end(process, signal: nil)]
    case .fork: return [.fork(process)]
    case .endTask(let id):
      guard let client = programs[index].client,
        let place = programs[index].sessions.firstIndex(where: { $0.id == id })
      else { return [] }
      programs[index].sessions.remove(at: place)
      return [.event(client, .sessionClosed(id))]
    }
  }

  private mutating func connect(_ index: Int, _ peer: (Program) -> Peer) -> [Deed] {
    guard programs[index].client == nil else { return [] }
    nextClient += 1
    let client = ClientID(number: nextClient)
    programs[index].client = client
    let program = programs[index]
    var deeds: [Deed] = [.event(client, .connected(peer(program), program: "app"))]
    if !random.chance(0.2) { deeds.append(.event(client, .phaseWatched)) }
    if program.hasBegun {
      // The library takes up what the program has.
      deeds += program.sessions.map { .event(client, .sessionOpened($0.id, $0.session)) }
      deeds += program.sequences.map { .event(client, .updatesOpened($0.id, $0.configuration)) }
      return deeds
    }
    let wait = program.temperament == .slow ? drawn(15_000) : drawn(300)
    return deeds + [.later(program.process, .begin, wait)]
  }

  private mutating func begin(_ index: Int) -> [Deed] {
    guard let client = programs[index].client, !programs[index].hasBegun else { return [] }
    let program = programs[index]
    programs[index].hasBegun = true
    if !program.isChild {
      let session: AppSession =
        holdsBackground[program.app] ? .backgroundActivity : .service(.always)
      if isCalm || random.chance(0.9) { programs[index].sessions.append((nextSession(), session)) }
    }
    programs[index].sequences.append((nextSequence(), program.configuration))
    if !program.isChild, !program.isByHand, random.chance(0.2) {
      programs[index].sequences.append((nextSequence(), .airborne))
    }
    let now = programs[index]
    return now.sessions.map { .event(client, .sessionOpened($0.id, $0.session)) }
      + now.sequences.map { .event(client, .updatesOpened($0.id, $0.configuration)) }
      + [.later(program.process, .act, drawn(40_000))]
  }

  private mutating func act(_ index: Int) -> [Deed] {
    let process = programs[index].process
    let again = Deed.later(process, .act, drawn(40_000))
    guard !isCalm else { return [again] }
    let drawnAct = random.unit()
    if drawnAct < 0.25 { return [.end(process, signal: 11)] }
    if drawnAct < 0.33 { return [.end(process, signal: nil)] }
    guard let client = programs[index].client, programs[index].hasBegun else { return [again] }
    if drawnAct < 0.45, !programs[index].sessions.isEmpty {
      let id = programs[index].sessions.removeFirst().id
      return [.event(client, .sessionClosed(id)), again]
    }
    if drawnAct < 0.55, !programs[index].sequences.isEmpty {
      let id = programs[index].sequences.removeLast().id
      return [.event(client, .updatesClosed(id)), again]
    }
    if drawnAct < 0.65, programs[index].sequences.isEmpty {
      let id = nextSequence()
      let configuration = programs[index].configuration
      programs[index].sequences.append((id, configuration))
      return [.event(client, .updatesOpened(id, configuration)), again]
    }
    guard drawnAct < 0.75 else { return [again] }
    let id = nextSession()
    programs[index].sessions.append((id, .backgroundTask))
    return [
      .event(client, .sessionOpened(id, .backgroundTask)),
      .later(process, .endTask(id), drawn(45_000)),
      again,
    ]
  }

  // MARK: Draws

  private mutating func drawn(_ milliseconds: Double) -> Interval {
    .microseconds(Int64(1_000 * (5 + milliseconds * random.unit())))
  }

  private mutating func nextSequence() -> SequenceID {
    nextObject += 1
    return SequenceID(number: nextObject)
  }

  private mutating func nextSession() -> SessionID {
    nextObject += 1
    return SessionID(number: nextObject)
  }
}
