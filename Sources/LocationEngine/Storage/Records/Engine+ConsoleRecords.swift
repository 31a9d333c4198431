import BinnacleBasics
import BinnacleModel
import StateLog

/// The tries of PINs and the uses of consoles, over restarts of the daemon and power cuts.
///
/// A try is kept before its PIN is compared, so that a power cut gives no further try. From the seventh wrong PIN in a row
/// on, the pause is the longest, and a further try needs no write: a series costs at most seven. The record is removed after
/// the right PIN. Its value is a version and the number of tries.
extension Engine {
  private static let triesVersion: UInt8 = 1

  /// Keeps the try that has begun; `tryNoted` goes on when the log has answered.
  mutating func noteTry(
    of client: ClientID, _ number: UInt32, at now: Instant, into effects: inout [Effect]
  ) {
    let count = UInt8(min(consoles.wrongCount, ConsoleTable.wrongCountOfPauseMax))
    let name = RecordName(kind: RecordTable.pinTries.number)
    let change = Change(name, .put([Engine.triesVersion, count], isCautious: false))
    let decision = Decision(.gives, changes: [change], then: [StateOrder]())
    follow(
      storage.state.decide(
        decision, for: .console(client, request: number), at: now, into: &effects), at: now,
      into: &effects)
  }

  /// Forgets the tries after the right PIN.
  mutating func forgetTries(at now: Instant, into effects: inout [Effect]) {
    keep(RecordTable.pinTries, value: nil, at: now, into: &effects)
  }

  /// Takes over the tries of the run before; an unreadable number counts as the largest.
  mutating func adoptTries(at now: Instant) {
    guard let value = storage.state.value(of: RecordTable.pinTries) else { return }
    let count =
      value.count == 2 && value[0] == Engine.triesVersion
      ? Int(value[1]) : ConsoleTable.wrongCountOfPauseMax
    consoles.recalled(wrongCount: min(count, ConsoleTable.wrongCountOfPauseMax), at: now)
  }

  mutating func adoptConsoleUses() {
    let value = storage.state.value(of: RecordTable.consoleUses)
    guard let record = value.flatMap(ConsoleUsesRecord.init(bytes:)) else { return }
    consoleUses.adopt(record.uses)
  }

  /// Writes the uses of consoles if they are due.
  mutating func noteConsoleUses(at now: Instant, into effects: inout [Effect]) {
    guard !storage.state.isBusy || storage.state.isStopping,
      storage.state.log.condition != .unread, let value = consoleUses.takeNote(at: now)
    else { return }
    keep(RecordTable.consoleUses, value: value, at: now, into: &effects)
  }

  /// When the record of the uses is due; nil while the disk is busy.
  var consoleUsesDue: Instant? { storage.state.isBusy ? nil : consoleUses.writeAt }
}
