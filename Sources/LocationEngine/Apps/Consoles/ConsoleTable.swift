import BinnacleBasics
import BinnacleModel

/// The consoles of the board: which are unlocked until when, and when the next PIN may be tried.
///
/// All consoles share one pause after a wrong PIN, so that further connections and further lines give no further tries.
struct ConsoleTable: Equatable, Codable, Sendable {
  /// A console with the rights of an operator.
  struct Lift: Equatable, Codable, Sendable {
    let console: ClientID
    let until: Instant
  }

  /// A PIN that the daemon compares with the board's hash.
  struct Check: Equatable, Codable, Sendable {
    let console: ClientID
    let request: UInt32
  }

  /// The longest pause after a wrong PIN.
  static let pauseMax = Interval.seconds(60)

  private(set) var lifts: [Lift] = []
  private(set) var check: Check?
  /// Wrong PINs since the last right one.
  private(set) var wrongCount = 0
  /// The end of the pause after the last wrong PIN.
  private(set) var pausedUntil: Instant?

  func isUnlocked(_ console: ClientID) -> Bool { lifts.contains { $0.console == console } }

  /// The time until the next PIN may be tried; nil: now.
  func pause(at now: Instant) -> Interval? {
    pausedUntil.flatMap { $0 > now ? $0 - now : nil }
  }

  /// The pause after a number of wrong PINs.
  static func pause(after wrongCount: Int) -> Interval {
    wrongCount >= 7 ? pauseMax : .seconds(1 << max(0, wrongCount - 1))
  }

  // MARK: Inputs

  /// A PIN is about to be compared; only one at a time.
  mutating func checkBegan(_ check: Check) { self.check = check }

  /// Ends the comparison of a request; false if the request is not the compared one.
  mutating func checkEnded(_ check: Check) -> Bool {
    guard self.check == check else { return false }
    self.check = nil
    return true
  }

  mutating func pinWasWrong(at now: Instant) {
    wrongCount = min(wrongCount + 1, 1_000)
    pausedUntil = now + ConsoleTable.pause(after: wrongCount)
  }

  mutating func unlocked(_ console: ClientID, until: Instant) {
    wrongCount = 0
    pausedUntil = nil
    lifts.removeAll { $0.console == console }
    lifts.append(Lift(console: console, until: until))
  }

  /// Locks a console; false if it was locked already.
  mutating func locked(_ console: ClientID) -> Bool {
    let count = lifts.count
    lifts.removeAll { $0.console == console }
    return lifts.count < count
  }

  mutating func clientDisconnected(_ client: ClientID) {
    _ = locked(client)
    if check?.console == client { check = nil }
  }

  /// The consoles whose time is up, which are locked from now on.
  mutating func lapse(at now: Instant) -> [ClientID] {
    let over = lifts.filter { $0.until <= now }.map(\.console)
    if !over.isEmpty { lifts.removeAll { $0.until <= now } }
    return over
  }

  /// When the next console is locked; nil: none is unlocked.
  var nextDeadline: Instant? { lifts.map(\.until).min() }
}
