import BinnacleBasics
import BinnacleModel

/// The rights of apps by rules of their own, apart from the tables of the engine.
///
/// The model keeps the answers of persons, the processes with their objects, the app in the foreground, and the
/// sessions that have begun. Everything else follows from these facts. A walk and the seeds compare the engine with the model.
struct RightsModel: Sendable {
  /// The sessions that the rules distinguish; several objects of one kind are one session.
  ///
  /// The raw value is the bit of the kind in a record of sessions (`SPEC-state.md`).
  enum Kind: UInt8, CaseIterable, Sendable {
    case background, serviceNone, serviceWhenInUse, serviceAlways, classic, activity, task

    init?(_ session: AppSession) {
      switch session {
      case .backgroundActivity: self = .background
      case .service(.none, _): self = .serviceNone
      case .service(.whenInUse, _): self = .serviceWhenInUse
      case .service(.always, _): self = .serviceAlways
      case .standardUpdates: self = .classic
      case .liveActivity: self = .activity
      case .backgroundTask: self = .task
      case .authorizationRequest, .fullAccuracyRequest: return nil
      }
    }

    /// Whether the session keeps the app in use, and therefore needs authorization.
    var keepsInUse: Bool { [.background, .classic, .activity].contains(self) }
    /// Whether a session without a process waits for the next process of the app.
    var isRejoined: Bool { ![.classic, .activity, .task].contains(self) }
    /// Whether the session ends with its process, and not with the daemon.
    var isOfProcess: Bool { [.classic, .activity].contains(self) }
  }

  /// The answer of a person.
  struct Answer: Equatable, Sendable {
    var authorization: Authorization
    var isAlwaysAnswered = false
    var isReduced = false
    var file: ProgramFile?
  }

  enum Hold: Equatable, Sendable {
    case none
    /// An object holds the session.
    case held
    /// The session waits for a process of the app.
    case absent
    /// A process has connected, and may take the session up.
    case returned(until: Instant)
    /// The process has left, and another process, which is connected, may take the session up.
    case shared(until: Instant)
    /// The daemon has started again, and one of the processes of the session may take it up; it has no effect before.
    case awaited(processes: [Int32], until: Instant)
  }

  struct Object: Equatable, Sendable {
    let id: SessionID
    let session: AppSession
  }

  struct Process: Equatable, Sendable {
    let client: ClientID
    /// The place of the app in `apps`.
    let app: Int
    var hasTerminal: Bool
    let file: ProgramFile?
    var processID: Int32 = 0
    /// Whether a person has allowed another file of the same path while the process ran; such a process asks no more.
    var isReplaced = false
    var sequences: [SequenceID] = []
    var objects: [Object] = []
  }

  struct App: Equatable, Sendable {
    let id: AppID
    let manifest: AppDeclaration?
    var answer: Answer?
    /// Until when the app counts as in use after it has left the foreground.
    var graceEnd: Instant?
    var holds = [Hold](repeating: .none, count: Kind.allCases.count)
    /// Whether a person has given full accuracy until the app is no longer in use.
    var isExact = false

    subscript(kind: Kind) -> Hold {
      get { holds[Int(kind.rawValue)] }
      set { holds[Int(kind.rawValue)] = newValue }
    }

    func isHeld(_ kind: Kind) -> Bool { self[kind] != .none && !isAwaited(kind) }

    func isAwaited(_ kind: Kind) -> Bool {
      if case .awaited = self[kind] { true } else { false }
    }
  }

  var apps: [App]
  var processes: [Process] = []
  /// The apps of which the launcher runs a process, as far as the daemon knows.
  var launched: [Int] = []
  /// Whether location services are on.
  var isOn = true
  /// The app of the manifests in the foreground, or whose place is kept.
  var front: Int?
  private(set) var last: Int?
  /// Until when the place of an app without a process is kept.
  var keptUntil: Instant?
  /// The processes that a person has left in the background.
  var away: [AwayProcess] = []
  /// Whether the numbers of processes have a meaning.
  let knowsProcesses: Bool
  private let grace: Interval
  let window: Interval

  init(
    manifests: [AppDeclaration], others: [AppID], grace: Interval, window: Interval,
    knowsProcesses: Bool = false
  ) {
    apps =
      manifests.map { App(id: $0.app, manifest: $0) } + others.map { App(id: $0, manifest: nil) }
    self.grace = grace
    self.window = window
    self.knowsProcesses = knowsProcesses
  }

  func index(of app: AppID) -> Int? { apps.firstIndex { $0.id == app } }

  func process(_ client: ClientID) -> Process? { processes.first { $0.client == client } }

  // MARK: Events

  /// Ends what lasts until an instant.
  mutating func timePasses(to now: Instant) {
    var isChanged = false
    for app in apps.indices {
      if let end = apps[app].graceEnd, end <= now {
        apps[app].graceEnd = nil
        isChanged = true
      }
      for kind in Kind.allCases {
        switch apps[app][kind] {
        case .returned(let until) where until <= now, .shared(let until) where until <= now,
          .awaited(_, let until) where until <= now:
          apps[app][kind] = .none
          isChanged = true
        case .none, .held, .absent, .returned, .shared, .awaited: break
        }
      }
    }
    if let end = keptUntil, end <= now {
      (front, keptUntil) = (nil, nil)
      isChanged = true
    }
    if isChanged { settle() }
  }

  mutating func connected(
    _ client: ClientID, _ app: Int, hasTerminal: Bool, file: ProgramFile?, processID: Int32 = 0,
    at now: Instant
  ) {
    let isReplaced = processes.contains { $0.app == app && $0.file == file && $0.isReplaced }
    processes.append(
      Process(
        client: client, app: app, hasTerminal: hasTerminal, file: file, processID: processID,
        isReplaced: isReplaced))
    if apps[app].manifest != nil {
      if front == app { keptUntil = nil }
      let isAway = staysAway(app, processID)
      if hasTerminal, !isAway, front == nil || keptUntil != nil { come(app) }
      if let front { away.removeAll { $0.app == front } }
    }
    processConnected(app, at: now)
    settle()
  }

  mutating func disconnected(_ client: ClientID, at now: Instant) {
    guard let place = processes.firstIndex(where: { $0.client == client }) else { return }
    let process = processes.remove(at: place)
    processLeft(process, at: now)
    let app = process.app
    for kind in Kind.allCases {
      guard process.objects.contains(where: { Kind($0.session) == kind }),
        !hasObject(app, kind), !apps[app].isAwaited(kind)
      else { continue }
      let waits = apps[app][kind] == .held && kind.isRejoined && apps[app].manifest != nil
      apps[app][kind] = waits ? .shared(until: now + window) : .none
    }
    if !processes.contains(where: { $0.app == app }) { lastProcessLeft(app) }
    if !isRunning(app) {
      apps[app].graceEnd = nil
      apps[app].isExact = false
      if front == app { keptUntil = now + window }
    }
    settle()
  }

  mutating func opened(_ id: SequenceID, of client: ClientID) {
    change(client) { if !$0.sequences.contains(id) { $0.sequences.append(id) } }
  }

  mutating func closed(_ id: SequenceID, of client: ClientID) {
    change(client) { $0.sequences.removeAll { $0 == id } }
  }

  mutating func made(_ id: SessionID, _ session: AppSession, of client: ClientID) {
    guard let process = process(client), process.objects.count < 32,
      !process.objects.contains(where: { $0.id == id })
    else { return }
    change(client) { $0.objects.append(Object(id: id, session: session)) }
    guard let kind = Kind(session) else { return }
    switch apps[process.app][kind] {
    case .returned, .shared: apps[process.app][kind] = .held
    case .absent: apps[process.app][kind] = .none
    case .awaited(let processes, _) where processes.contains(process.processID):
      apps[process.app][kind] = .held
    case .none, .held, .awaited: break
    }
    settle()
  }

  mutating func invalidated(_ id: SessionID, of client: ClientID) {
    guard let process = process(client),
      let object = process.objects.first(where: { $0.id == id })
    else { return }
    change(client) { $0.objects.removeAll { $0.id == id } }
    if let kind = Kind(object.session), !hasObject(process.app, kind),
      !apps[process.app].isAwaited(kind)
    {
      apps[process.app][kind] = .none
    }
    settle()
  }

  mutating func answered(_ app: Int, _ answer: Answer?) {
    if apps[app].answer != answer { apps[app].isExact = false }
    noteReplaced(app, answer)
    apps[app].answer = answer
    settle()
  }

  mutating func servicesSet(_ isOn: Bool) {
    self.isOn = isOn
    settle()
  }

  mutating func bring(_ app: Int, at now: Instant) {
    guard front != app, apps[app].manifest != nil, isRunning(app) else { return }
    leave(at: now)
    come(app)
    foregroundChanged(at: now)
    settle()
  }

  mutating func sendAway(at now: Instant) {
    let isChanged = front != nil
    leave(at: now)
    if isChanged { foregroundChanged(at: now) }
    settle()
  }

  mutating func pressHome(at now: Instant) {
    if front != nil {
      sendAway(at: now)
    } else if let last, isRunning(last) {
      bring(last, at: now)
    }
  }

  /// A person has closed an app: its sessions end, also those that its processes hold.
  mutating func closed(_ app: Int) {
    for kind in Kind.allCases { apps[app][kind] = .none }
    apps[app].graceEnd = nil
    apps[app].isExact = false
    if front == app { (front, keptUntil) = (nil, nil) }
    settle()
  }

  /// The daemon has started again with the records of the disk.
  mutating func restarted(
    answers: [Answer?], sessions: [[Kind]], last: Int?, isOn: Bool,
    processes records: ProcessRecords = ProcessRecords(), at now: Instant = .zero
  ) {
    processes = []
    launched = []
    (front, keptUntil) = (nil, nil)
    self.last = last
    self.isOn = isOn
    for app in apps.indices {
      apps[app].answer = answers[app]
      apps[app].graceEnd = nil
      apps[app].isExact = false
      for kind in Kind.allCases {
        apps[app][kind] = sessions[app].contains(kind) ? .absent : .none
      }
    }
    recall(records, at: now)
    settle()
  }

  // MARK: Parts

  private mutating func come(_ app: Int) {
    apps[app].graceEnd = nil
    (front, last, keptUntil) = (app, app, nil)
  }

  private mutating func leave(at now: Instant) {
    if let front, keptUntil == nil { apps[front].graceEnd = now + grace }
    (front, keptUntil) = (nil, nil)
  }

  private mutating func change(_ client: ClientID, _ change: (inout Process) -> Void) {
    guard let place = processes.firstIndex(where: { $0.client == client }) else { return }
    change(&processes[place])
  }

  func hasObject(_ app: Int, _ kind: Kind) -> Bool {
    processes.contains {
      $0.app == app && $0.objects.contains { Kind($0.session) == kind }
    }
  }

  /// Begins the sessions that may begin, and ends the sessions whose right is gone, until nothing changes.
  mutating func settle() {
    var isChanged = true
    while isChanged {
      isChanged = false
      for app in apps.indices {
        for kind in Kind.allCases {
          let isPermitted = !kind.keepsInUse || isBackgroundAllowed(app)
          if apps[app][kind] != .none, !isPermitted {
            apps[app][kind] = .none
            isChanged = true
          }
          if !apps[app].isHeld(kind), isPermitted, hasObject(app, kind), mayBegin(kind, app) {
            apps[app][kind] = .held
            isChanged = true
          }
        }
      }
    }
    for app in apps.indices where apps[app].isExact && !isInUse(app) { apps[app].isExact = false }
  }

  private func isBackgroundAllowed(_ app: Int) -> Bool {
    apps[app].manifest?.hasBackgroundLocation == true && isAllowed(app, file: nil)
  }

  /// Whether a session may begin now: never in the background, except a plain service session of an app in use.
  private func mayBegin(_ kind: Kind, _ app: Int) -> Bool {
    switch kind {
    case .serviceNone, .serviceWhenInUse: isInUse(app)
    case .serviceAlways: isInFront(app)
    case .background, .classic, .activity: isInFront(app) && isOn && !lacksServiceSession(app)
    case .task: true
    }
  }
}
