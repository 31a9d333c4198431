public import BinnacleBasics
public import BinnacleModel

/// The last 24 hours of the board: what the daemon's history and the record of background use say, ready to be shown.
public struct DayTimeline: Equatable, Sendable {
  /// A time in one state; ages are seconds before now.
  public struct Segment: Equatable, Sendable {
    public let from: Double
    public let to: Double
    public let state: DayState

    public var seconds: Double { from - to }
  }

  /// The states of one part of the board.
  public struct Lane: Equatable, Sendable {
    public let part: DayPart
    /// The name of the app, with any characters; nil for another part.
    public let app: String?
    /// The segments, the oldest first, without a hole between them; before the first one nothing is known.
    public let segments: [Segment]
  }

  /// A time in which an app in the background could receive locations.
  public struct Use: Equatable, Sendable {
    /// It may hold any characters.
    public let app: String
    public let from: Double
    public let to: Double
    public let updates: Int64
    public let isLampVerified: Bool
  }

  public let now: UTCTime
  /// Seconds since the daemon's start; before that only ``uses`` are known.
  public let daemonAge: Double
  public let lanes: [Lane]
  public let uses: [Use]
  /// Apps without a place in the history.
  public let appsLeftOut: Int64

  /// The length of the timeline, in seconds.
  public static let span = 86_400.0

  /// - Parameters:
  ///   - rows: the answer of the daemon to a request for the history.
  ///   - audit: its rows of the record of background use.
  ///   - now: the time of the answer.
  public init(_ rows: [Report], audit: [Report] = [], now: UTCTime) {
    self.now = now
    var (daemonAge, leftOut) = (0.0, Int64(0))
    var subjects: [(part: DayPart, app: String?, starts: [(age: Double, state: DayState)])] = []
    for row in rows {
      guard let part = row[.rowPart], let age = row[.rowAge], age.isFinite, age >= 0 else {
        continue
      }
      if part == "daemon" {
        daemonAge = age
        leftOut = row[.rowLeftOut] ?? 0
      }
      guard let part = DayPart(rawValue: part),
        let state = row[.rowDayState].flatMap(DayState.init(rawValue:)), state.part == part
      else { continue }
      let app = row[.rowID]
      let index = subjects.firstIndex { $0.part == part && $0.app == app }
      if let index {
        subjects[index].starts.append((age, state))
      } else {
        subjects.append((part, app, [(age, state)]))
      }
    }
    self.daemonAge = daemonAge
    appsLeftOut = leftOut
    lanes = subjects.sorted { DayTimeline.order($0.part) < DayTimeline.order($1.part) }.map {
      Lane(part: $0.part, app: $0.app, segments: DayTimeline.segments($0.starts))
    }.filter { !$0.segments.isEmpty && !DayTimeline.isIdle($0) }
    uses = audit.compactMap { DayTimeline.use($0, now: now) }
  }

  private static func order(_ part: DayPart) -> Int { DayPart.allCases.firstIndex(of: part) ?? 0 }

  /// An app that has not run in the whole day has no lane.
  private static func isIdle(_ lane: Lane) -> Bool {
    lane.part == .app && lane.segments.allSatisfy { $0.state == .notRunning }
  }

  private static func segments(_ starts: [(age: Double, state: DayState)]) -> [Segment] {
    var segments: [Segment] = []
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1].age : 0
      let from = min(start.age, span)
      guard end < from else { continue }
      segments.append(Segment(from: from, to: end, state: start.state))
    }
    return segments
  }

  private static func use(_ row: Report, now: UTCTime) -> Use? {
    // Unlocked consoles are no use of locations.
    guard row[.rowConsoleRole] == nil, let app = row[.rowID],
      let from = row[.rowFrom].flatMap(UTCTime.init(rfc3339:))
    else {
      return nil
    }
    let to = row[.rowTo].map(UTCTime.init(rfc3339:)) ?? now
    guard let to else { return nil }
    let (begin, end) = ((now - from).seconds, max(0, (now - to).seconds))
    guard begin > 0, end < span, end <= begin else { return nil }
    return Use(
      app: app, from: min(begin, span), to: end, updates: row[.rowUpdates] ?? 0,
      isLampVerified: row[.rowIsLampVerified] ?? false)
  }

  /// The time in each state that a lane had, in seconds, in the order of ``DayState``.
  public static func totals(of lane: Lane) -> [(state: DayState, seconds: Double)] {
    DayState.allCases.compactMap { state in
      let seconds = lane.segments.filter { $0.state == state }.reduce(0) { $0 + $1.seconds }
      return seconds > 0 ? (state, seconds) : nil
    }
  }
}

extension DayState {
  /// The state for a person.
  public var words: String {
    switch self {
    case .moving: "moving"
    case .resting: "resting"
    case .notJudged: "not judged, no updates"
    case .absent: "no receiver"
    case .silent: "silent"
    case .searching: "searching"
    case .fix: "fix"
    case .paused: "on, updates pause"
    case .asleep: "asleep"
    case .dark: "dark"
    case .asserting: "being lit"
    case .lit: "lit"
    case .failed: "could not be lit"
    case .notRunning: "not running"
    case .foreground: "foreground"
    case .background: "background"
    case .suspended: "suspended"
    }
  }

  /// The level of activity, 0 to 3; a higher level fills more of the lane.
  public var level: Int {
    switch self {
    case .moving, .fix, .lit, .foreground, .failed: 3
    case .searching, .asserting, .background, .silent: 2
    case .resting, .paused, .suspended: 1
    case .notJudged, .asleep, .absent, .dark, .notRunning: 0
    }
  }
}
