import BinnacleBasics
import BinnacleModel
import BinnacleWire
import LocationEngine

/// The lock of consoles.
extension CoreLocationDoor {
  /// The ways to unlock a console; the verdict on no PIN only says whether the board has one.
  func describeLock(_ presence: PresenceGesture?) -> Report {
    var row = Report()
    row.add(.rowHasPIN, pins.verdict(on: Secret()) == .wrong)
    if let presence { row.add(.rowPresence, presence.instruction) }
    return row
  }

  func unlock(
    _ console: ClientID, _ request: UInt32, for time: Interval, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) {
    guard let token = clients.client(console)?.unlock() else { return }
    let seconds = UInt16(clamping: time.nanoseconds / 1_000_000_000)
    put(
      .unlocked(request: request, token: token, seconds: seconds), to: console, at: now,
      into: &outcomes)
  }

  func lock(_ console: ClientID, at now: Instant, into outcomes: inout [DoorOutcome]) {
    var taken: [ClientTable.Outcome] = []
    clients.lock(console, at: now, into: &taken)
    settle(taken, at: now, into: &outcomes)
    put(.locked, to: console, at: now, into: &outcomes)
  }
}
