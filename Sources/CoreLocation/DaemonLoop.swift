internal import BinnacleBasics
internal import BinnacleModel
internal import BinnaclePosix
internal import BinnacleWire
internal import Glibc

/// What the thread of a ``DaemonConnection`` does: it performs what the protocol's machine orders.
///
/// Everything in it belongs to that thread.
struct DaemonLoop {
  /// How long the connection is kept after the last iterator has gone, so that a program that asks now and
  /// then does not come and go each time.
  static let lingerTime = Interval.seconds(5)
  /// Without an event descriptor the loop looks for orders this often.
  private static let lookTime = Interval.milliseconds(200)
  /// Packets that are taken before orders and deadlines get their turn.
  private static let packetsPerTurnMax = 64

  private struct Client {
    var sequence: SequenceID
    var storage: UpdatesStorage
  }

  private let program: String
  private let directory: @Sendable () -> String
  private let eventFD: EventFD?
  private let takeOrders: @Sendable () -> [OrderQueue.Order]

  private var machine: ClientMachine
  private var isMachineStarted = false
  private var absence = AbsenceMachine()
  private var orders = OrderQueue()
  private var clients: [Client] = []
  /// What the app keeps; nil before it has asked.
  private var defaults: DefaultsStorage?
  private var lingersUntil: Instant?
  /// Whether standard error has the sentence that the daemon is away.
  private var hasReportedAbsence = false
  private var socket: LocalSocket?
  /// The last reason printed for not trusting a daemon.
  private var complaint: String?
  private var unsent: [[UInt8]] = []
  /// Whether they wait for the daemon to read, and not for their turn.
  private var waitsForDaemon = false
  private var pace = RequestPace()
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: WireLimits.packetSizeMax)

  init(
    program: String, directory: @escaping @Sendable () -> String, eventFD: EventFD?,
    takeOrders: @escaping @Sendable () -> [OrderQueue.Order]
  ) {
    self.program = program
    self.directory = directory
    self.eventFD = eventFD
    self.takeOrders = takeOrders
    machine = DaemonLoop.newMachine(program)
  }

  /// Serves the iterators of this process for as long as it lives.
  func run() -> Never {
    // Signals are the app's business and shall find its own threads.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    var loop = self
    if let eventFD { loop.poll.set(eventFD.descriptor, .reading) }
    while true { loop.turn() }
  }

  private mutating func turn() {
    for order in takeOrders() { orders.append(order) }
    if !unsent.isEmpty { sendUnsent() }
    followOrders()
    deadlinesReached()
    do {
      try poll.wait(until: nextDeadline)
    } catch {
      // Only a lack of memory in the kernel ends here. The wait keeps the loop from spinning.
      usleep(100_000)
    }
    if let eventFD, !poll.readiness(of: eventFD.descriptor).isEmpty { eventFD.clear() }
    if let socket {
      let readiness = poll.readiness(of: socket.descriptor)
      if readiness.contains(.writable) { sendUnsent() }
      if !readiness.subtracting(.writable).isEmpty { receive() }
    }
  }

  // MARK: Orders of the iterators

  /// Whether an order would reach the daemon at once, or need not reach it yet.
  private var isFreeForOrders: Bool {
    !machine.isReady || unsent.isEmpty && pace.allows(at: Clock.now)
  }

  private mutating func followOrders() {
    while !orders.isEmpty, isFreeForOrders, let order = orders.popFirst() { follow(order) }
  }

  private mutating func follow(_ order: OrderQueue.Order) {
    let now = Clock.now
    switch order {
    case .open(let storage):
      lingersUntil = nil
      let (sequence, actions) = machine.openUpdates(storage.configuration, at: now)
      clients.append(Client(sequence: sequence, storage: storage))
      absence.sequenceOpened(sequence, at: now)
      perform(actions)
      startMachine()
    case .close(let storage):
      guard let index = clients.firstIndex(where: { $0.storage === storage }) else { return }
      let sequence = clients.remove(at: index).sequence
      absence.sequenceClosed(sequence)
      perform(machine.closeUpdates(sequence, at: now))
      lingerIfUnused()
    case .serve(let storage):
      lingersUntil = nil
      if defaults == nil {
        defaults = storage
        if let version = machine.version { storage.ready(version: version) }
        startMachine()
      }
      sendDefaults()
    }
  }

  private mutating func startMachine() {
    guard !isMachineStarted else { return }
    isMachineStarted = true
    perform(machine.started(at: Clock.now))
  }

  private mutating func sendDefaults() {
    for message in defaults?.takeMessages() ?? [] { send(message.encoded()) }
  }

  private mutating func lingerIfUnused() {
    if clients.isEmpty, defaults == nil { lingersUntil = Clock.now + DaemonLoop.lingerTime }
  }

  // MARK: Time

  private var nextDeadline: Instant? {
    let look = eventFD == nil ? Clock.now + DaemonLoop.lookTime : nil
    let deadlines = [
      machine.nextDeadline, absence.nextDeadline, lingersUntil, look, nextTurnOfRequests,
    ]
    return deadlines.compactMap { $0 }.min()
  }

  /// When what waits for its turn may go; nil when nothing waits, or for the daemon to read only.
  private var nextTurnOfRequests: Instant? {
    let waiting: RequestPace.Waiting =
      if !unsent.isEmpty { .packets(untilRead: waitsForDaemon) } else if orders.isEmpty {
        .nothing
      } else { .orders }
    return pace.nextTurn(of: waiting, at: Clock.now)
  }

  private mutating func deadlinesReached() {
    let now = Clock.now
    if let lingersUntil, lingersUntil <= now { rest() }
    if let deadline = machine.nextDeadline, deadline <= now {
      perform(machine.deadlineReached(at: now))
    }
    absence.daemonSeen(isPresent: machine.isReady, at: now)
    for sequence in absence.deadlineReached(at: now) {
      deliver(Update(fix: nil, flags: .locationUnavailable), to: sequence)
    }
  }

  /// Hangs up until somebody iterates again.
  private mutating func rest() {
    lingersUntil = nil
    hangUp()
    machine = DaemonLoop.newMachine(program)
    isMachineStarted = false
  }

  private static func newMachine(_ program: String) -> ClientMachine {
    ClientMachine(program: program, seed: UInt64.random(in: .min ... .max))
  }

  // MARK: What the machine orders

  private mutating func perform(_ actions: [ClientMachine.Action]) {
    for action in actions {
      switch action {
      case .connect: connect()
      case .send(let packet): send(packet)
      case .hangUp: hangUp()
      case .update(let sequence, let update): deliver(update, to: sequence)
      case .updatesEnded(let sequence, let refusal): end(sequence, refusal)
      // The machine tries again; the absence is explained to the loops when it lasts.
      case .refused: break
      // Nobody here asks for these.
      case .status, .trace, .state, .writes, .sky, .answered: break
      case .ready(let version): defaults?.ready(version: version)
      case .defaults(let request, let isLast, let entries):
        defaults?.arrived(request, isLast: isLast, entries)
      case .defaultsChanged(let entries): defaults?.changed(entries)
      case .defaultsSettled(let request, let refusal): defaults?.settled(request, refusal)
      }
    }
  }

  private func deliver(_ update: Update, to sequence: SequenceID) {
    clients.first { $0.sequence == sequence }?.storage.updateArrived(update)
  }

  private mutating func end(_ sequence: SequenceID, _ refusal: ServerMessage.Refusal) {
    absence.sequenceClosed(sequence)
    guard let index = clients.firstIndex(where: { $0.sequence == sequence }) else { return }
    let storage = clients.remove(at: index).storage
    storage.refused(
      UpdatesStateMachine.Refusal(
        isNotPermitted: refusal.reason == .notPermitted, text: refusal.text))
    lingerIfUnused()
  }

  // MARK: The socket

  private mutating func connect() {
    do throws(SystemError) {
      let path = RuntimeDirectory.socketPath(in: directory())
      let socket = try DaemonSocket.connect(to: path)
      self.socket = socket
      poll.set(socket.descriptor, .reading)
      perform(machine.connected(at: Clock.now))
    } catch {
      report(error)
      perform(machine.connectFailed(at: Clock.now))
    }
  }

  /// Says on standard error why there are no locations yet: once that the daemon is away, and each reason not to trust
  /// the process that serves the socket.
  private mutating func report(_ error: SystemError) {
    guard error.errno == .untrustedServer else {
      if hasReportedAbsence { return }
      hasReportedAbsence = true
      return complain(
        "waiting for the daemon (\(error)). Start binnacled, or name its runtime directory in"
          + " BINNACLE_RUNTIME; this program goes on by itself as soon as the daemon answers.")
    }
    if error.description == complaint { return }
    complaint = error.description
    complain(error.description)
  }

  private func complain(_ text: String) {
    let line = Array("CoreLocation: \(text)\n".utf8)
    // A failure is of no consequence: nothing is left to report it to.
    _ = write(STDERR_FILENO, line, line.count)
  }

  private mutating func hangUp() {
    if let socket { poll.remove(socket.descriptor) }
    socket = nil
    unsent = []
    waitsForDaemon = false
    pace = RequestPace()
    defaults?.disconnected()
  }

  private mutating func disconnected() {
    hangUp()
    perform(machine.disconnected(at: Clock.now))
  }

  private mutating func send(_ packet: [UInt8]) {
    // The connection may have broken under the message before this one.
    if socket == nil { return }
    unsent.append(packet)
    sendUnsent()
  }

  private mutating func sendUnsent() {
    guard let socket else { return }
    do {
      let now = Clock.now
      while let packet = unsent.first, pace.allows(at: now), try socket.send(packet) {
        unsent.removeFirst()
        pace.sent(at: now)
      }
      waitsForDaemon = !unsent.isEmpty && pace.allows(at: now)
      poll.set(socket.descriptor, waitsForDaemon ? [.reading, .writing] : .reading)
    } catch {
      disconnected()
    }
  }

  private mutating func receive() {
    for _ in 0..<DaemonLoop.packetsPerTurnMax {
      guard let socket else { return }
      do {
        switch try socket.receive(into: &buffer) {
        case .packet(let count):
          perform(machine.packetArrived(Array(buffer[..<count]), at: Clock.now))
        case .tooLong, .ended: return disconnected()
        case .nothing: return
        }
      } catch {
        return disconnected()
      }
    }
  }
}
