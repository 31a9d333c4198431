import BinnacleBasics
import BinnacleModel

/// The transitions of the last 24 hours: movement, receiver, indicator, and the states of apps.
///
/// A lane belongs to one subject and holds its transitions, the oldest first; the first one is the state at the
/// beginning of the knowledge. The memory is bounded: at ``transitionsMax`` the longest lane loses its oldest transition,
/// so a program that starts and ends all the time displaces its own history first. The history ends with the process of
/// the daemon.
struct DayHistory: Equatable, Codable, Sendable {
  enum Subject: Equatable, Codable, Sendable {
    case movement
    case receiver
    case light
    case app(AppID)
  }

  struct Transition: Equatable, Codable, Sendable {
    let at: Instant
    let state: DayState
  }

  struct Lane: Equatable, Codable, Sendable {
    let subject: Subject
    fileprivate(set) var transitions: [Transition]

    /// The present state.
    var state: DayState? { transitions.last?.state }
  }

  static let span = Interval.seconds(86_400)
  static let transitionsMax = 4_096
  /// The most apps with a lane at the same time.
  static let appsMax = 64

  private(set) var lanes: [Lane] = []
  /// The number of transitions in all lanes.
  var count: Int { lanes.reduce(0) { $0 + $1.transitions.count } }
  /// Apps that had no place since the daemon's start.
  private(set) var appsLeftOut = 0
  /// The receiver's state, which is compared after every event.
  private(set) var receiver = DayState.absent

  /// The daemon has started: the states of all parts but the apps are known from now on.
  ///
  /// Records of an earlier run, which are read before the start, may have set a state already.
  mutating func started(at now: Instant) {
    let first: [(subject: Subject, state: DayState)] = [
      (.movement, .notJudged), (.receiver, .absent), (.light, .dark),
    ]
    for (subject, state) in first where !lanes.contains(where: { $0.subject == subject }) {
      note(subject, state, at: now)
    }
  }

  /// Takes the receiver's state.
  mutating func receiverSeen(_ state: DayState, at now: Instant) {
    if state == receiver { return }
    receiver = state
    note(.receiver, state, at: now)
  }

  /// Takes the state of a subject; an unchanged state costs no memory.
  mutating func note(_ subject: Subject, _ state: DayState, at now: Instant) {
    guard let index = lanes.firstIndex(where: { $0.subject == subject }) else {
      lanes.append(Lane(subject: subject, transitions: [Transition(at: now, state: state)]))
      return bound()
    }
    guard lanes[index].state != state else { return }
    lanes[index].transitions.append(Transition(at: now, state: state))
    expire(index, at: now)
    bound()
  }

  /// Takes the state of an app; the lane of a new app begins with the daemon's start, when the app was not running.
  mutating func noteApp(_ app: AppID, _ state: DayState, since start: Instant, at now: Instant) {
    let isKnown = lanes.contains { $0.subject == .app(app) }
    if !isKnown {
      if state == .notRunning { return }
      if !makeRoom(at: now) {
        appsLeftOut &+= 1
        return
      }
      note(.app(app), .notRunning, at: start)
    }
    note(.app(app), state, at: now)
  }

  /// The apps that have a lane.
  var apps: [AppID] {
    lanes.compactMap { if case .app(let app) = $0.subject { app } else { nil } }
  }

  /// Whether there is a place for another app; the lane of an app that has not run for a day makes room.
  private mutating func makeRoom(at now: Instant) -> Bool {
    if apps.count < DayHistory.appsMax { return true }
    lanes.removeAll { lane in
      guard case .app = lane.subject, lane.state == .notRunning,
        let last = lane.transitions.last, last.at + DayHistory.span <= now
      else { return false }
      return true
    }
    return apps.count < DayHistory.appsMax
  }

  /// Drops what was over a day ago; the last older transition stays as the state at the beginning.
  private mutating func expire(_ index: Int, at now: Instant) {
    let begin = now - DayHistory.span
    let old = lanes[index].transitions.dropFirst().prefix { $0.at <= begin }.count
    guard old > 0 else { return }
    lanes[index].transitions.removeFirst(old)
  }

  private mutating func bound() {
    for _ in DayHistory.transitionsMax..<max(count, DayHistory.transitionsMax) {
      let longest = lanes.indices.max {
        lanes[$0].transitions.count < lanes[$1].transitions.count
      }
      if let longest { lanes[longest].transitions.removeFirst() }
    }
  }
}
