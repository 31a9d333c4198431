import BinnacleBasics
import BinnacleModel

/// The consoles of the board: the unlocked consoles with their end times, and the ways to unlock a console.
///
/// All consoles share one pause after a wrong PIN, so that further connections and further lines give no further tries.
struct ConsoleTable: Equatable, Codable, Sendable {
  /// A console with the rights of an operator.
  struct Lift: Equatable, Codable, Sendable {
    let console: ClientID
    let until: Instant
  }

  /// A request that waits for the daemon's comparison with the board's hash.
  struct Check: Equatable, Codable, Sendable {
    let console: ClientID
    let request: UInt32
    /// Whether a PIN is compared; otherwise the answer only says whether the board has one.
    let isTry: Bool
  }

  /// The longest pause after a wrong PIN.
  static let pauseMax = Interval.seconds(60)
  /// The wrong PINs in a row from which on the pause is the longest.
  static let wrongCountOfPauseMax = 7
  /// How long a person's gesture permits an `unlock` without a PIN.
  static let presenceTime = Interval.seconds(30)

  private(set) var lifts: [Lift] = []
  private(set) var check: Check?
  /// Tries since the last right PIN: each counts as wrong until the daemon has compared it.
  private(set) var wrongCount = 0
  /// The end of the pause after the last try.
  private(set) var pausedUntil: Instant?
  /// Until when one console may be unlocked without a PIN.
  private(set) var presentUntil: Instant?

  func isUnlocked(_ console: ClientID) -> Bool { lifts.contains { $0.console == console } }

  /// The time until the next PIN may be tried; nil: now.
  func pause(at now: Instant) -> Interval? {
    pausedUntil.flatMap { $0 > now ? $0 - now : nil }
  }

  /// The pause after a number of wrong PINs.
  static func pause(after wrongCount: Int) -> Interval {
    wrongCount >= wrongCountOfPauseMax ? pauseMax : .seconds(1 << max(0, wrongCount - 1))
  }

  // MARK: Inputs

  /// A comparison is about to be ordered; only one at a time.
  mutating func checkBegan(_ check: Check) { self.check = check }

  /// Ends the comparison of a request; nil if the request is not the compared one.
  mutating func checkEnded(of console: ClientID, _ request: UInt32) -> Check? {
    guard let check, check.console == console, check.request == request else { return nil }
    self.check = nil
    return check
  }

  /// A PIN is about to be compared, and counts as wrong from now on.
  mutating func tryBegan(at now: Instant) {
    wrongCount = min(wrongCount + 1, 1_000)
    pausedUntil = now + ConsoleTable.pause(after: wrongCount)
  }

  /// No PIN was compared, so the last try does not count.
  mutating func tryWithdrawn() {
    wrongCount = max(0, wrongCount - 1)
    pausedUntil = nil
  }

  /// The last try cannot be kept, so it counts as all the tries that a restart could forget.
  mutating func tryNotKept(at now: Instant) {
    wrongCount = max(wrongCount, ConsoleTable.wrongCountOfPauseMax)
    pausedUntil = now + ConsoleTable.pauseMax
  }

  /// Takes over the tries of the run before; their pause begins again.
  mutating func recalled(wrongCount: Int, at now: Instant) {
    guard wrongCount > self.wrongCount else { return }
    self.wrongCount = wrongCount
    pausedUntil = now + ConsoleTable.pause(after: wrongCount)
  }

  mutating func pinWasRight() {
    wrongCount = 0
    pausedUntil = nil
  }

  /// A person at the board has made the gesture of `Presence`.
  mutating func personPresent(at now: Instant) {
    presentUntil = now + ConsoleTable.presenceTime
  }

  /// Uses up a person's gesture; false without one in time.
  mutating func takePresence(at now: Instant) -> Bool {
    defer { presentUntil = nil }
    return presentUntil.map { now < $0 } ?? false
  }

  mutating func unlocked(_ console: ClientID, until: Instant) {
    lifts.removeAll { $0.console == console }
    lifts.append(Lift(console: console, until: until))
  }

  /// Locks a console; false if it was locked already.
  mutating func locked(_ console: ClientID) -> Bool {
    let count = lifts.count
    lifts.removeAll { $0.console == console }
    return lifts.count < count
  }

  /// A console has gone; false if it was locked.
  mutating func clientDisconnected(_ client: ClientID) -> Bool {
    if check?.console == client { check = nil }
    return locked(client)
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
