import BinnacleBasics
import BinnacleModel

/// The databases and places for the next start, which outlast the loss of devices.
struct AssistanceMemory: Equatable, Codable, Sendable {
  /// Sorted, the newest first.
  private(set) var databases: [NavigationDatabase] = []
  private(set) var place: LastPlace?
  private(set) var clock: TrustedClock?
  /// The last help that a receiver got.
  private(set) var last: Account?
  var pollsWithoutRecords = 0
  /// Whether an app gets positions; otherwise no database is read, because it would have to be written.
  var isTracking = false
  /// The database that is to be written, until it is taken.
  private var news: NavigationDatabase?

  /// The record of the help that a receiver got.
  struct Account: Equatable, Codable, Sendable {
    let receiver: ReceiverKey
    let at: Instant
    let age: Interval
    let uncertaintyMeters: Double?
    let count: AssistanceDelivery.Count
    let isAcknowledged: Bool
  }

  /// The reason why a receiver gets no help.
  enum Refusal: String, Equatable, Codable, Sendable {
    case nothingKept = "nothing is kept of this receiver"
    case clockUntrusted = "the wall clock is not known to be right"
    case clockBehind = "the wall clock is behind what was kept"
    case tooOld = "what is kept is too old"
    case placeUnknown = "no position is kept"
  }

  /// The number of receivers whose databases are stored.
  static let databasesMax = 2
  /// Ephemerides are valid for four hours, almanacs for weeks.
  private static let ageMax = Interval.seconds(30 * 86_400)
  /// A receiver whose time differs more than this from a trusted clock has a wrong date.
  private static let timeErrorMax = Interval.seconds(86_400)

  // MARK: Input

  /// A database of an earlier run was read; the caller passes the one of the last run, or else the newest one, last.
  mutating func recovered(_ database: NavigationDatabase) { insert(database) }

  mutating func recovered(_ place: LastPlace) { self.place = place }

  /// Takes the place of a fix.
  ///
  /// A place with a wrong date would be refused at the next start, so it replaces no other place.
  mutating func fixJudged(_ fix: Fix, model: DynamicModel, at now: Instant) {
    guard !contradicts(fix.time, at: now) else { return }
    place = LastPlace(fix, model: model)
  }

  /// Whether a trusted clock shows another day than the receiver.
  func contradicts(_ time: UTCTime, at now: Instant) -> Bool {
    guard let clock, clock.uncertainty(at: now) <= TrustedClock.withinMax else { return false }
    let error = time - clock.time(at: now)
    return max(error, .zero - error) > AssistanceMemory.timeErrorMax
  }

  mutating func clockRead(_ time: UTCTime, within: Interval?, at now: Instant) {
    clock = within.map { TrustedClock(read: time, instant: now, within: $0) }
  }

  mutating func polled(_ database: NavigationDatabase) {
    insert(database)
    news = database
  }

  mutating func forgetPlace() { place = nil }

  mutating func forgetDatabases() {
    databases = []
    news = nil
  }

  mutating func helped(_ account: Account) { last = account }

  var hasNews: Bool { news != nil }

  /// Returns the database that came since the last call.
  mutating func takeNews() -> NavigationDatabase? {
    defer { news = nil }
    return news
  }

  private mutating func insert(_ database: NavigationDatabase) {
    databases.removeAll { $0.receiver == database.receiver }
    databases.insert(database, at: 0)
    databases = Array(databases.prefix(AssistanceMemory.databasesMax))
  }

  // MARK: Result

  func database(of receiver: ReceiverKey) -> NavigationDatabase? {
    databases.first { $0.receiver == receiver }
  }

  /// The data for a receiver now, or the reason why there is none.
  func help(for receiver: ReceiverKey, at now: Instant) -> Result<AssistanceHelp, Refusal> {
    guard let database = database(of: receiver) else { return .failure(.nothingKept) }
    guard let place else { return .failure(.placeUnknown) }
    guard let clock, clock.uncertainty(at: now) <= TrustedClock.withinMax else {
      return .failure(.clockUntrusted)
    }
    let time = clock.time(at: now)
    let slack = clock.uncertainty(at: now)
    guard database.time <= time + slack, place.time <= time + slack else {
      return .failure(.clockBehind)
    }
    let age = time - database.time
    guard age <= AssistanceMemory.ageMax else { return .failure(.tooOld) }
    return .success(
      AssistanceHelp(
        database: database, place: place, clock: clock,
        uncertaintyMeters: place.uncertaintyMeters(after: time - place.time + slack), age: age))
  }
}

extension AssistanceMemory.Refusal: Error {}
