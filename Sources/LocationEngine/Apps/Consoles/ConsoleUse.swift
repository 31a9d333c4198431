import BinnacleBasics
import BinnacleModel

/// A time in which a console was unlocked, or a series of wrong PINs.
struct ConsoleUse: Equatable, Codable, Sendable {
  /// The event of an entry; the raw value is in the log of state.
  enum Cause: UInt8, Codable, Sendable {
    /// The right PIN has unlocked the console.
    case pin = 1
    /// A person at the board has unlocked the console.
    case presence = 2
    /// PINs were wrong.
    case wrongPIN = 3

    /// The word of the key `right`.
    var name: String {
      switch self {
      case .pin: "console_pin"
      case .presence: "console_presence"
      case .wrongPIN: "console_wrong_pin"
      }
    }
  }

  let cause: Cause
  /// The name that the console's program has given, such as `binnacle console on ttyGS0`; of a series, the first console.
  let console: String
  let from: UTCTime?
  /// The end, or the time of the last change.
  var to: UTCTime?
  /// Wrong PINs of a series.
  var wrongCount = 0
  var hasEnded = false

  init(_ cause: Cause, console: String, from: UTCTime?) {
    self.cause = cause
    self.console = console
    self.from = from.map { UTCTime(secondsSince1970: $0.secondsSince1970) }
    to = self.from
  }
}

/// The latest uses of consoles, which the log of state keeps in one record.
///
/// The record is written when a console is unlocked or locked and at the first wrong PIN of a series, and each
/// ``savePeriod`` while wrong PINs go on.
struct ConsoleUses: Equatable, Codable, Sendable {
  /// The most entries; the oldest is removed when another begins.
  static let countMax = 32
  static let savePeriod = Interval.seconds(3_600)

  private(set) var entries: [Entry] = []
  /// When the record is due; nil if it is up to date.
  private(set) var writeAt: Instant?
  private var budget = CommitBudget()

  struct Entry: Equatable, Codable, Sendable {
    /// The unlocked console; nil for an entry that has ended, and for wrong PINs.
    var client: ClientID?
    var use: ConsoleUse
  }

  // MARK: Inputs

  mutating func unlocked(
    _ client: ClientID, _ cause: ConsoleUse.Cause, console: String, time: UTCTime?, at now: Instant
  ) {
    // The right PIN ends the series of wrong ones.
    if cause == .pin { for index in seriesIndices { entries[index].use.hasEnded = true } }
    locked(client, time: time, at: now)
    append(Entry(client: client, use: ConsoleUse(cause, console: console, from: time)))
    changed(at: now)
  }

  mutating func locked(_ client: ClientID, time: UTCTime?, at now: Instant) {
    for index in entries.indices where entries[index].client == client {
      entries[index].client = nil
      entries[index].use.to = time
      entries[index].use.hasEnded = true
      changed(at: now)
    }
  }

  mutating func pinWasWrong(console: String, time: UTCTime?, at now: Instant) {
    if let index = seriesIndices.last {
      entries[index].use.wrongCount += 1
      entries[index].use.to = time ?? entries[index].use.to
      if writeAt == nil { writeAt = now + ConsoleUses.savePeriod }
    } else {
      var use = ConsoleUse(.wrongPIN, console: console, from: time)
      use.wrongCount = 1
      append(Entry(client: nil, use: use))
      changed(at: now)
    }
  }

  // MARK: The log

  /// Takes the entries of earlier runs; a console that was unlocked then was locked by the end of the daemon.
  mutating func adopt(_ uses: [ConsoleUse]) {
    let earlier = uses.map { use in
      var use = use
      if use.cause != .wrongPIN { use.hasEnded = true }
      return Entry(client: nil, use: use)
    }
    entries.insert(contentsOf: earlier.suffix(max(0, ConsoleUses.countMax - entries.count)), at: 0)
  }

  /// The value of the record if it is due; it counts as written after the call.
  mutating func takeNote(at now: Instant) -> [UInt8]? {
    guard let due = writeAt, due <= now else { return nil }
    writeAt = nil
    budget.spend(ConsoleUses.owner, at: now)
    return ConsoleUsesRecord(uses: entries.map(\.use)).bytes
  }

  /// Forgets the entries; those of unlocked consoles stay.
  mutating func erase() {
    entries.removeAll { $0.client == nil }
    writeAt = nil
  }

  // MARK: Parts

  private static let owner = DefaultsKey.Owner(ofUser: 0)

  private var seriesIndices: [Int] {
    entries.indices.filter {
      entries[$0].use.cause == .wrongPIN && !entries[$0].use.hasEnded
    }
  }

  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    if entries.count > ConsoleUses.countMax { entries.removeFirst() }
  }

  private mutating func changed(at now: Instant) {
    writeAt = max(now, budget.nextTurn(of: ConsoleUses.owner))
  }
}
