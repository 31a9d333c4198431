internal import BinnacleBasics
internal import BinnacleClient
internal import BinnacleModel
internal import BinnaclePosix
internal import BinnacleWire
internal import Glibc

/// The loop of a ``DaemonConnection``'s thread: it carries out the actions of the protocol's machine.
///
/// Only that thread uses the loop.
struct DaemonLoop {
  /// The time for which the connection is kept after the last iterator has ended.
  ///
  /// A program that requests single locations from time to time does not reconnect for each of them.
  static let lingerTime = Interval.seconds(5)
  /// The period of checks for orders without an eventfd.
  private static let checkPeriod = Interval.milliseconds(200)

  /// A sequence and the storage of its iterator.
  private struct Iterated {
    var sequence: SequenceID
    var storage: UpdatesStorage
  }

  /// A session object of the app.
  private struct Made {
    var id: SessionID
    var storage: SessionStorage
  }

  private let eventFD: EventFD?
  private let takeOrders: @Sendable () -> [OrderQueue.Order]

  private var client: DaemonClient
  private var absence = AbsenceMachine()
  private var orders = OrderQueue()
  private var sequences: [Iterated] = []
  private var sessions: [Made] = []
  /// The app's authorization; nil before the first use.
  private var authorization: AuthorizationStorage?
  /// The app's presses of buttons; nil before the first use.
  private var buttons: ButtonsStorage?
  /// The app's phase; nil before the first use.
  private var phase: PhaseStorage?
  /// The app's defaults; nil before the first use.
  private var defaults: DefaultsStorage?
  private var lingersUntil: Instant?
  /// Whether the absence of the daemon was reported on standard error.
  private var hasReportedAbsence = false
  /// The last reported reason not to trust a daemon, or the report of a full queue.
  private var complaint: String?
  private var poll = Poll()

  init(
    program: String, directory: @escaping @Sendable () -> String, eventFD: EventFD?,
    takeOrders: @escaping @Sendable () -> [OrderQueue.Order]
  ) {
    self.eventFD = eventFD
    self.takeOrders = takeOrders
    client = DaemonClient(program: program) { RuntimeDirectory.socketPath(in: directory()) }
  }

  /// Serves the iterators for the life of the process.
  func run() -> Never {
    // Signals belong to the app's own threads.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    var loop = self
    while true { loop.turn() }
  }

  private mutating func turn() {
    for order in takeOrders() { orders.append(order) }
    followOrders()
    deadlinesReached()
    poll.removeAll()
    if let eventFD { poll.set(eventFD.descriptor, .reading) }
    if let descriptor = client.descriptor {
      poll.set(descriptor, client.wantsToWrite ? [.reading, .writing] : .reading)
    }
    do {
      try poll.wait(until: nextDeadline)
    } catch {
      // `poll` fails only if the kernel is out of memory. The pause prevents a busy loop.
      usleep(100_000)
    }
    if let eventFD, !poll.readiness(of: eventFD.descriptor).isEmpty { eventFD.clear() }
    if let descriptor = client.descriptor {
      let readiness = poll.readiness(of: descriptor)
      if !readiness.isEmpty { client.ready(readiness, at: Clock.now) }
      takeEvents()
    }
  }

  // MARK: Orders of the iterators

  private mutating func followOrders() {
    while !orders.isEmpty, client.isFree(at: Clock.now), let order = orders.popFirst() {
      follow(order)
      takeEvents()
    }
  }

  private mutating func follow(_ order: OrderQueue.Order) {
    let now = Clock.now
    switch order {
    case .open(let storage):
      lingersUntil = nil
      let (sequence, actions) = client.machine.openUpdates(
        storage.configuration, storage.options, at: now)
      sequences.append(Iterated(sequence: sequence, storage: storage))
      absence.sequenceOpened(sequence, at: now)
      client.carryOut(actions, at: now)
      client.start(at: now)
    case .close(let storage):
      guard let index = sequences.firstIndex(where: { $0.storage === storage }) else { return }
      let sequence = sequences.remove(at: index).sequence
      absence.sequenceClosed(sequence)
      let actions = client.machine.closeUpdates(sequence, at: now)
      client.carryOut(actions, at: now)
      lingerIfUnused()
    case .openSession(let storage):
      lingersUntil = nil
      let (id, actions) = client.machine.openSession(storage.session, at: now)
      sessions.append(Made(id: id, storage: storage))
      client.carryOut(actions, at: now)
      client.start(at: now)
    case .closeSession(let storage):
      guard let index = sessions.firstIndex(where: { $0.storage === storage }) else { return }
      let id = sessions.remove(at: index).id
      client.carryOut(client.machine.closeSession(id, at: now), at: now)
      lingerIfUnused()
    case .watch(let storage):
      lingersUntil = nil
      authorization = storage
      client.carryOut(client.machine.watchAuthorization(at: now), at: now)
      client.start(at: now)
    case .watchButtons(let storage):
      lingersUntil = nil
      buttons = storage
      client.carryOut(client.machine.watchButtons(at: now), at: now)
      client.start(at: now)
    case .watchPhase(let storage):
      lingersUntil = nil
      phase = storage
      client.carryOut(client.machine.watchPhase(at: now), at: now)
      client.start(at: now)
    case .serve(let storage):
      lingersUntil = nil
      if defaults == nil {
        defaults = storage
        if let version = client.machine.version { storage.ready(version: version) }
        client.start(at: now)
      }
      sendDefaults()
    }
  }

  private mutating func sendDefaults() {
    for message in defaults?.takeMessages() ?? [] {
      client.send(message.encoded(), at: Clock.now)
    }
  }

  private mutating func lingerIfUnused() {
    let isWatching = authorization != nil || buttons != nil || phase != nil
    if sequences.isEmpty, sessions.isEmpty, !isWatching, defaults == nil {
      lingersUntil = Clock.now + DaemonLoop.lingerTime
    }
  }

  // MARK: Time

  private var nextDeadline: Instant? {
    let now = Clock.now
    let check = eventFD == nil ? now + DaemonLoop.checkPeriod : nil
    let ofClient = client.nextDeadline(hasOrders: !orders.isEmpty, at: now)
    return [ofClient, absence.nextDeadline, lingersUntil, check].compactMap { $0 }.min()
  }

  private mutating func deadlinesReached() {
    let now = Clock.now
    if let lingersUntil, lingersUntil <= now {
      // The next request of an iterator connects again.
      self.lingersUntil = nil
      client.reset()
    }
    client.deadlineReached(at: now)
    takeEvents()
    absence.daemonSeen(isPresent: client.machine.isReady, at: now)
    for sequence in absence.deadlineReached(at: now) {
      deliver(Update(fix: nil, flags: .locationUnavailable), to: sequence)
    }
  }

  // MARK: Messages of the daemon

  private mutating func takeEvents() {
    for event in client.takeEvents() {
      switch event {
      case .message(let message): take(message)
      case .connectFailed(let error): report(error)
      case .hungUp:
        defaults?.disconnected()
        for made in sessions { made.storage.disconnected() }
      }
    }
  }

  private mutating func take(_ message: ClientMachine.Action) {
    switch message {
    case .updates(let open, let update):
      for sequence in open { deliver(update, to: sequence) }
    case .updatesEnded(let sequence, let refusal): end(sequence, refusal)
    case .sessionDiagnostic(let id, let flags):
      sessions.first { $0.id == id }?.storage.arrived(flags)
    case .authorization(let state): authorization?.arrived(state)
    case .button(let press): buttons?.arrived(press)
    case .phase(let new): phase?.arrived(new)
    case .ready(let version): defaults?.ready(version: version)
    case .defaults(let request, let isLast, let entries):
      defaults?.arrived(request, isLast: isLast, entries)
    case .defaultsChanged(let entries): defaults?.changed(entries)
    case .defaultsSettled(let request, let refusal): defaults?.settled(request, refusal)
    // The machine retries a refused connection, and a lasting absence is explained to the loops. The library sends no
    // requests with the other answers.
    case .refused, .status, .trace, .state, .writes, .sky, .rows, .ownApps, .answered, .unlocked,
      .locked, .connect, .send, .hangUp:
      break
    }
  }

  private func deliver(_ update: Update, to sequence: SequenceID) {
    sequences.first { $0.sequence == sequence }?.storage.updateArrived(update)
  }

  private mutating func end(_ sequence: SequenceID, _ refusal: ServerMessage.Refusal) {
    absence.sequenceClosed(sequence)
    guard let index = sequences.firstIndex(where: { $0.sequence == sequence }) else { return }
    let storage = sequences.remove(at: index).storage
    storage.refused(
      UpdatesStateMachine.Refusal(
        isNotPermitted: refusal.kind == .notPermitted, text: refusal.text))
    lingerIfUnused()
  }

  /// Reports on standard error why there are no locations yet.
  ///
  /// The absence of the daemon is reported once. Each reason not to trust the process behind the socket is reported,
  /// too, and a queue of connections that was full for some seconds.
  private mutating func report(_ error: SystemError) {
    guard error.errno == .untrustedServer || error.isQueueFull else {
      if hasReportedAbsence { return }
      hasReportedAbsence = true
      return complain(
        "waiting for the daemon (\(error)). Start binnacled, or name its runtime directory in"
          + " BINNACLE_RUNTIME; this program continues automatically when the daemon answers.")
    }
    if error.description == complaint { return }
    complaint = error.description
    complain(
      error.isQueueFull
        ? "\(error); this program continues automatically when the daemon answers."
        : error.description)
  }

  private func complain(_ text: String) {
    StandardError.write("CoreLocation: \(text)")
  }
}
