import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The apps of several users, and a person who answers, on a simulated board: they act at random moments.
///
/// Processes begin and end updates and sessions, crash, hang and come back. The person presses buttons, gives commands,
/// and steals the lamp's line. All draws are from random numbers of the crowd's own.
struct AppCrowd: Sendable {
  /// An action on the board.
  enum Deed: Sendable {
    case event(Event)
    case strike(StatePlan.Action)
  }

  private enum Step: Sendable {
    case act
    case answer(Event)
    /// A line is claimed or read now, after an order.
    case order(Effect.Line, LineID)
    case contact(LineID, isPressed: Bool)
    case heal
    case comeBack(Life)
    case drop(ClientID)
    case ask
    case connect
  }

  private struct Entry: Sendable {
    let at: Instant
    let number: Int
    let step: Step
  }

  static let manifests = [
    AppDeclaration(
      identifier: "org.example.tracker", hasBackgroundLocation: true,
      whenInUseText: "Records the route of this vehicle.",
      alwaysText: "Records the route also when the screen is dark.",
      temporaryTexts: [.init(purpose: "delivery", text: "Shows the exact door.")]),
    AppDeclaration(
      identifier: "org.example.map", whenInUseText: "Shows where you are.",
      temporaryTexts: [.init(purpose: "street", text: "Shows your street.")],
      isAccuracyReduced: true),
    AppDeclaration(
      identifier: "org.example.fleet", hasBackgroundLocation: true,
      whenInUseText: "Shows the vehicle to its owner.",
      alwaysText: "Shows the vehicle to its owner at all times.", needsServiceSession: true),
    AppDeclaration(identifier: "org.example.mute", hasBackgroundLocation: true),
  ]
  static let others: [AppID] = [
    .unlisted(userID: 1_003, executable: "/home/ann/script"), .unresolved(userID: 1_004),
  ]
  static let userIDs: [UInt32] = [1_001, 1_002, 1_002, 1_001, 1_003, 1_004]
  /// The client of an operator, through which the person gives commands.
  static let person = ClientID(number: 10_000)
  /// Requests from this number on switch location services.
  static let servicesRequests: UInt32 = 500_000
  /// From this instant on the crowd starts nothing.
  static let calm = Instant.zero + .seconds(38)

  private(set) var panel = SimulatedPanel()
  private(set) var lives: [Life] = []
  private var isPersonConnected = false
  private var random: Random
  private var agenda: [Entry] = []
  private var entryNumber = 0
  private var nextClient: UInt32 = 10_001
  private var nextObject: UInt32 = 1
  private var nextRequest: UInt32 = 1
  private var nextServices = AppCrowd.servicesRequests
  /// Whether the disk may fail; location services are then switched by commands only.
  private let failsDisk: Bool

  init(random: Random, failsDisk: Bool) {
    self.random = random
    self.failsDisk = failsDisk
    schedule(.connect, at: .zero + .milliseconds(50))
    schedule(.act, at: .zero + .milliseconds(100))
    schedule(.ask, at: .zero + .milliseconds(900))
  }

  static func isMember(_ client: ClientID) -> Bool { client.number >= person.number }

  static var model: RightsModel {
    RightsModel(
      manifests: manifests, others: others, grace: ConsentSettings().backgroundGrace,
      window: ClientSettings().rejoinWindow, knowsProcesses: true)
  }

  static func app(_ index: Int) -> AppID { (manifests.map(\.app) + others)[index] }

  // MARK: Time

  var nextDeadline: Instant? { agenda.first?.at }

  /// Does what is due.
  mutating func act(at now: Instant) -> [Deed] {
    guard let first = agenda.first, first.at <= now else { return [] }
    agenda.removeFirst()
    switch first.step {
    case .act: return actAtRandom(at: now)
    case .answer(let event): return [.event(event)]
    case .order(let order, let line): return panel.take(order, of: line).map { [.event($0)] } ?? []
    case .contact(let line, let isPressed):
      return panel.contact(line, isPressed: isPressed, at: now).map { [.event($0)] } ?? []
    case .heal: return panel.breaks(nil).map { [.event($0)] } ?? []
    case .comeBack(let life): return comeBack(life)
    case .drop(let client):
      guard let index = lives.firstIndex(where: { $0.client == client }) else { return [] }
      lives.remove(at: index)
      return [.event(.client(client, .disconnected))]
    case .ask:
      schedule(.ask, at: now + .milliseconds(1_000))
      return command(.prompts)
    case .connect:
      isPersonConnected = true
      let peer = ClientScript.operatorPeer(processID: 10_000)
      return [.event(.client(AppCrowd.person, .connected(peer, program: "binnacle")))]
    }
  }

  private mutating func schedule(_ step: Step, at instant: Instant) {
    let entry = Entry(at: instant, number: entryNumber, step: step)
    entryNumber += 1
    let index = agenda.firstIndex { ($0.at, $0.number) > (entry.at, entry.number) }
    agenda.insert(entry, at: index ?? agenda.endIndex)
  }

  // MARK: The board

  /// Takes an effect of the engine; the answer of a line comes a short time later.
  mutating func take(_ effect: Effect, at now: Instant) {
    switch effect {
    case .line(let line, let order):
      let at = now + .microseconds(100 + Int64(random.unit() * 4_000))
      guard case .set = order else { return schedule(.order(order, line), at: at) }
      if let event = panel.take(order, of: line) { schedule(.answer(event), at: at) }
    case .log(.notice, let text) where text.hasPrefix("prompt: ") && now < AppCrowd.calm:
      guard random.chance(0.7) else { return }
      let wait = Interval.milliseconds(Int64(20 + 4_000 * random.unit() * random.unit()))
      press(SimulatedPanel.allow, for: random.chance(0.6) ? 120 : 2_300, at: now + wait)
    case .log, .client, .receiver, .watchAccelerometer, .storage, .track, .launcher: return
    }
  }

  /// The daemon has ended at once: processes connect again, or end with the power.
  mutating func daemonEnded(isPowerCut: Bool, at now: Instant) {
    panel.released()
    isPersonConnected = false
    agenda.removeAll { entry in
      switch entry.step {
      case .answer, .order, .comeBack, .drop, .connect: true
      case .act, .contact, .heal, .ask: false
      }
    }
    schedule(.connect, at: now + .milliseconds(40))
    let before = lives
    lives = []
    for life in before where random.chance(isPowerCut ? 0.5 : 0.8) {
      let wait = Interval.milliseconds(Int64(50 + 6_000 * random.unit() * random.unit()))
      // After a power cut the service manager starts an app, without a terminal.
      schedule(
        .comeBack(
          isPowerCut ? Life(again: life, hasTerminal: false) : life), at: now + wait)
    }
  }

  // MARK: Actions

  private mutating func actAtRandom(at now: Instant) -> [Deed] {
    guard now < AppCrowd.calm else { return [] }
    // Some actions come at nearly the same moment.
    let wait = random.chance(0.4) ? 60 * random.unit() : 1_400 * random.unit()
    schedule(.act, at: now + .microseconds(Int64(wait * 1_000)))
    let drawn = random.unit()
    if drawn < 0.12 || lives.isEmpty { return start() }
    if drawn < 0.50 { return actOfProcess(at: now) }
    if drawn < 0.68 { return command(drawnAnswer()) }
    if drawn < 0.78 { return command(drawnPlace()) }
    if drawn < 0.93 {
      pressAtRandom(at: now)
      return []
    }
    if drawn < 0.97 { return breakLamp(at: now) }
    return [switchServices(on: random.chance(0.6))]
  }

  private mutating func start() -> [Deed] {
    let weights = [0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5]
    let app = weights[Int(random.next() % UInt64(weights.count))]
    guard lives.count < 8 else { return [] }
    let isChanged = app == 4 && random.chance(0.1)
    let file: ProgramFile? =
      app == 5
      ? nil
      : ProgramFile(
        device: 1, number: UInt64(70 + app), changeTimeNanoseconds: isChanged ? 2 : 1)
    var life = Life(
      client: ClientID(number: 0), app: app, hasTerminal: random.chance(0.6), file: file)
    if random.chance(0.8) { life.sequences = [(nextSequence(), configuration())] }
    if random.chance(0.4) { life.sessions = [(nextSession(), drawnSession())] }
    return comeBack(life)
  }

  /// A process connects with a new number, and makes its objects.
  private mutating func comeBack(_ before: Life) -> [Deed] {
    var life = before
    life.client = ClientID(number: nextClient)
    life.isHung = false
    // A process keeps its number when the daemon starts again.
    if life.processID == 0 { life.processID = Int32(nextClient) }
    nextClient += 1
    lives.append(life)
    let peer = Peer(
      userID: AppCrowd.userIDs[life.app], processID: life.processID,
      app: AppCrowd.app(life.app), hasTerminal: life.hasTerminal, file: life.file)
    let client = life.client
    var events: [Event.Client] = [.connected(peer, program: "app")]
    events += life.sequences.map { .updatesOpened($0.id, $0.configuration) }
    events += life.sessions.map { .sessionOpened($0.id, $0.session) }
    if random.chance(0.2) { events.append(.authorizationWatched) }
    return events.map { .event(.client(client, $0)) }
  }

  private mutating func actOfProcess(at now: Instant) -> [Deed] {
    let index = Int(random.next() % UInt64(lives.count))
    guard !lives[index].isHung else { return [] }
    let client = lives[index].client
    func deed(_ event: Event.Client) -> [Deed] { [.event(.client(client, event))] }
    let drawn = random.unit()
    if drawn < 0.2 {
      // A crash; some processes are started again at once.
      let life = lives.remove(at: index)
      if random.chance(0.6) {
        let wait = Interval.milliseconds(Int64(20 + 14_000 * random.unit() * random.unit()))
        schedule(
          .comeBack(Life(again: life, hasTerminal: life.hasTerminal && random.chance(0.5))),
          at: now + wait)
      }
      return deed(.disconnected)
    }
    if drawn < 0.25 {
      lives[index].isHung = true
      schedule(.drop(client), at: now + .seconds(1 + Int64(5 * random.unit())))
      return []
    }
    if drawn < 0.45 {
      let id = nextSequence()
      let configuration = configuration()
      lives[index].sequences.append((id, configuration))
      let event = Event.Client.updatesOpened(id, configuration)
      return deed(event) + (random.chance(0.1) ? deed(event) : [])
    }
    if drawn < 0.55 {
      guard !lives[index].sequences.isEmpty else {
        return deed(.updatesClosed(SequenceID(number: 77)))
      }
      return deed(.updatesClosed(lives[index].sequences.removeFirst().id))
    }
    if drawn < 0.85 {
      let id = nextSession()
      let session = drawnSession()
      lives[index].sessions.append((id, session))
      let event = Event.Client.sessionOpened(id, session)
      return deed(event) + (random.chance(0.1) ? deed(event) : [])
    }
    guard !lives[index].sessions.isEmpty else {
      return deed(.sessionClosed(SessionID(number: 77_777)))
    }
    let place = Int(random.next() % UInt64(lives[index].sessions.count))
    let id = lives[index].sessions.remove(at: place).id
    return deed(.sessionClosed(id)) + (random.chance(0.1) ? deed(.sessionClosed(id)) : [])
  }

  mutating func drawnAnswer() -> ConsentRequest {
    let name = drawnName()
    switch random.next() % 10 {
    case 0...3:
      let allowances: [ConsentRequest.Allowance?] = [nil, .whenInUse, .always]
      let accuracies: [Bool?] = [nil, nil, nil, true, false]
      return .allow(
        app: name, allowances[Int(random.next() % 3)],
        isReduced: accuracies[Int(random.next() % 5)])
    case 4...6: return .deny(app: name)
    case _: return .reset(app: name)
    }
  }

  mutating func drawnPlace() -> ConsentRequest {
    switch random.next() % 14 {
    case 0...4: .foreground(app: drawnName())
    case 5...6: .background(app: drawnName())
    case 7: .home
    case 8: .apps
    case 9: .who
    case 10: .audit
    case _: .why(app: nil)
    }
  }

  mutating func drawnName() -> String {
    let drawn = Int(random.next() % 14)
    switch drawn {
    case 0...5: return "\(AppCrowd.app(drawn))"
    case 6...10: return "\(AppCrowd.app(0))"
    case 11: return "\(AppCrowd.app(2))"
    case 12: return "org.example."
    case _: return "org.example.absent"
    }
  }

  private mutating func pressAtRandom(at now: Instant) {
    let drawn = random.unit()
    let times = [60, 120, 700, 1_300, 2_300]
    let time = times[Int(random.next() % 5)]
    if drawn < 0.45 {
      press(SimulatedPanel.home, for: time, at: now)
    } else if drawn < 0.9 || failsDisk {
      press(SimulatedPanel.allow, for: time, at: now)
    } else {
      press(SimulatedPanel.services, for: 2_300, at: now)
    }
  }

  /// Presses a button; its contact bounces now and then.
  private mutating func press(_ line: LineID, for milliseconds: Int, at now: Instant) {
    schedule(.contact(line, isPressed: true), at: now)
    if line != SimulatedPanel.home, random.chance(0.3) {
      schedule(.contact(line, isPressed: false), at: now + .milliseconds(2))
      schedule(.contact(line, isPressed: true), at: now + .milliseconds(3))
    }
    schedule(.contact(line, isPressed: false), at: now + .milliseconds(Int64(milliseconds)))
  }

  private mutating func breakLamp(at now: Instant) -> [Deed] {
    guard panel.fault == nil else { return [] }
    let faults = SimulatedPanel.LampFault.allCases
    schedule(.heal, at: now + .milliseconds(Int64(200 + 12_000 * random.unit())))
    let event = panel.breaks(faults[Int(random.next() % UInt64(faults.count))])
    return event.map { [.event($0)] } ?? []
  }

  // MARK: The person

  /// A request of the person about the rights of apps.
  ///
  /// After the daemon's end there is no request until the person's client is connected again.
  mutating func command(_ request: ConsentRequest) -> [Deed] {
    guard isPersonConnected else { return [] }
    nextRequest += 1
    return [.event(.client(AppCrowd.person, .requested(nextRequest, .consent(request))))]
  }

  mutating func switchServices(on isOn: Bool) -> Deed {
    nextServices += 1
    return .event(.client(AppCrowd.person, .requested(nextServices, .setServices(isOn: isOn))))
  }

  // MARK: Draws

  private mutating func nextSequence() -> SequenceID {
    nextObject += 1
    return SequenceID(number: nextObject)
  }

  private mutating func nextSession() -> SessionID {
    nextObject += 1
    return SessionID(number: nextObject)
  }

  private mutating func configuration() -> LiveConfiguration {
    let configurations: [LiveConfiguration] = [.default, .default, .otherNavigation, .airborne]
    return configurations[Int(random.next() % 4)]
  }

  mutating func drawnSession() -> AppSession {
    let number = random.next()
    return switch number % 12 {
    case 0...4: .backgroundActivity
    case 5: .service(.none)
    case 6: .service(.whenInUse, fullAccuracyPurpose: random.chance(0.5) ? "delivery" : nil)
    case 7...8: .service(.always)
    case 9: .standardUpdates
    case 10: .authorizationRequest(isAlways: random.chance(0.5))
    case _: AppCrowd.rareSession(number / 12)
    }
  }

  /// A session of a kind that is drawn seldom; the number has the whole choice, so that the crowd draws no further one.
  private static func rareSession(_ number: UInt64) -> AppSession {
    switch number % 3 {
    case 0: .liveActivity(text: "on the way")
    case 1: .backgroundTask
    case _: .fullAccuracyRequest(purpose: number / 3 % 2 == 0 ? "street" : "unknown")
    }
  }
}
