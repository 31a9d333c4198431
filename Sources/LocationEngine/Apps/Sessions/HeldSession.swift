import BinnacleBasics

/// One session of an app: the objects that hold it, and whether it has begun.
///
///     none --object is made--> pending --the app may begin it--> held
///     held --last object is invalidated--> none
///     held --the process of the last object leaves--> away --a process connects--> back
///     held --the last object was of a script that the launcher has not started, and the script leaves--> back
///     held --the process of the last object leaves, and another process of the app is connected--> shared
///     shared --object is made--> held
///     shared --the last process leaves--> away
///     shared --no object within RejoinWindow--> none
///     back --object is made--> held, although the app is in the background
///     away --object of a script that the launcher has not started is made--> held
///     away --another object is made--> pending
///     back --no object within RejoinWindow--> none
///     held, ends with its process --restart of the daemon within a boot--> awaited
///     awaited --object is made by the same process--> held, although the app is in the background
///     awaited --another process has an object, and the app may begin the session--> held
///     awaited --no object of the process within RejoinWindow--> none, or pending with objects of other processes
///     held, away, shared, back, awaited --the app loses its authorization--> pending, or none without an object
///
/// A session that has lapsed or ended begins again only where a new one may begin.
struct HeldSession: Equatable, Codable, Sendable {
  enum State: Equatable, Codable, Sendable {
    case none
    /// Objects exist, and the app may not begin the session.
    case pending
    /// The session has its effect.
    case held
    /// The process has left, and the session waits until the app is started.
    case away
    /// A process may take the session up until this time: a process has connected, or a script may connect again.
    case back(until: Instant)
    /// The process has left, and another process of the app, which is connected, may take the session up until this time.
    case shared(until: Instant)
    /// The daemon has started again, and one of the processes that held the session may take it up until this time. The session has
    /// no effect before: the process may have ended, or may have ended the session, meanwhile.
    case awaited(processes: [Int32], until: Instant)
  }

  private(set) var state = State.none
  private(set) var objectCount = 0
  /// Whether each object of the session is of a script that the launcher has not started; without an object, the last objects.
  private(set) var isOfScript = false
  /// The processes of the objects, if the session ends with its process.
  private var makers: [Int32] = []

  /// Whether the session has its effect, with or without a process.
  var isHeld: Bool {
    switch state {
    case .none, .pending, .awaited: false
    case .held, .away, .back, .shared: true
    }
  }

  /// The processes of which one may take the session up after a restart of the daemon.
  var processIDs: [Int32] {
    if case .awaited(let processes, _) = state { return processes }
    return isHeld ? makers : []
  }

  /// Whether objects may begin the session.
  private var isWaitingToBegin: Bool {
    switch state {
    case .pending: true
    case .awaited: objectCount > 0
    case .none, .held, .away, .back, .shared: false
    }
  }

  /// When the session lapses; nil without a time.
  var lapsesAt: Instant? {
    switch state {
    case .back(let until), .shared(let until), .awaited(_, let until): until
    case .none, .pending, .held, .away: nil
    }
  }

  /// Makes a session without an object: of an earlier run, or after its process has left.
  ///
  /// - Parameter end: when the session of a script lapses; nil: the session waits until the app is started.
  /// - Returns: the session.
  static func waiting(until end: Instant?) -> HeldSession {
    var session = HeldSession()
    session.state = .away
    if let end {
      session.state = .back(until: end)
      session.isOfScript = true
    }
    return session
  }

  /// Makes a session of an earlier run that ends with its process.
  static func awaiting(_ processes: [Int32], until end: Instant) -> HeldSession {
    var session = HeldSession()
    session.state = .awaited(processes: processes, until: end)
    return session
  }

  // MARK: Inputs

  /// The app makes an object.
  ///
  /// - Parameters:
  ///   - isScript: whether the object is of a script that the launcher has not started.
  ///   - maker: the process, if the session ends with its process.
  /// - Returns: whether the object takes up the earlier session.
  mutating func made(byScript isScript: Bool, inProcess maker: Int32?) -> Bool {
    isOfScript = isScript && (isOfScript || objectCount == 0)
    objectCount += 1
    switch state {
    case .none: state = .pending
    case .away where !isScript: state = .pending
    case .away, .back, .shared:
      state = .held
      return true
    case .awaited(let processes, _):
      guard let maker, processes.contains(maker) else { break }
      state = .held
      return true
    case .pending, .held: break
    }
    return false
  }

  /// The objects of the session have changed.
  ///
  /// - Parameter processes: the processes of the objects, if the session ends with its process.
  mutating func belongs(to processes: [Int32]) { makers = processes }

  /// The app invalidates an object, or the last reference to the object is gone.
  mutating func invalidated() {
    guard objectCount > 0 else { return }
    objectCount -= 1
    if objectCount == 0, lapsesAt == nil { state = .none }
  }

  /// The process of an object left without invalidating it.
  ///
  /// - Parameters:
  ///   - isRejoined: whether a held session without an object waits for a process; else it ends.
  ///   - end: when the waiting session of a script lapses; nil: the session waits until the app is started.
  ///   - sharedEnd: until when another process that is connected may take the session up; nil: no other process is connected.
  mutating func left(isRejoined: Bool, until end: Instant?, sharedUntil sharedEnd: Instant?) {
    guard objectCount > 0 else { return }
    objectCount -= 1
    guard objectCount == 0, lapsesAt == nil else { return }
    self = state == .held && isRejoined ? .waiting(until: end) : HeldSession()
    if state == .away, let sharedEnd { state = .shared(until: sharedEnd) }
  }

  /// The last process of the app has left.
  mutating func lastProcessLeft() {
    if case .shared = state { state = .away }
  }

  /// The process that had connected has ended without success, so the session waits for the next process.
  ///
  /// An awaited session ends. The launcher does not start the process of a script's session, so that
  /// session lapses.
  mutating func processEnded() {
    switch state {
    case .back where !isOfScript: state = .away
    case .awaited: end()
    case .none, .pending, .held, .away, .back, .shared: break
    }
  }

  /// A person has closed the app.
  mutating func end() { state = objectCount > 0 ? .pending : .none }

  /// A process of the app has connected.
  mutating func connected(at now: Instant, window: Interval) {
    switch state {
    case .away: state = .back(until: now + window)
    case .shared: state = .shared(until: now + window)
    case .none, .pending, .held, .back, .awaited: break
    }
  }

  /// The rights of the app may have changed; returns whether the state has changed.
  mutating func settle(mayBegin: Bool, mayContinue: Bool) -> Bool {
    let before = state
    if !mayContinue { erase() }
    if isWaitingToBegin, mayBegin, mayContinue { state = .held }
    return state != before
  }

  /// Ends the session if its time is over; returns whether it has lapsed.
  mutating func lapse(at now: Instant) -> Bool {
    guard let end = lapsesAt, end <= now else { return false }
    state = objectCount > 0 ? .pending : .none
    return true
  }

  /// An operator has erased the session; its objects stay, and begin nothing by themselves in the background.
  mutating func erase() {
    if isHeld || lapsesAt != nil { end() }
  }
}
