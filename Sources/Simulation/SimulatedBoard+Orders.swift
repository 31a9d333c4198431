import Accelerometers
import BinnacleBasics
import BinnacleModel
import LocationEngine

/// Orders of a trial to its board.
extension SimulatedBoard {
  /// Requests the end of the daemon.
  mutating func end() { occur(.stopRequested) }

  /// Requests a report of the engine, as the client that stays to the end.
  mutating func askForReport() {
    occur(.client(ClientID(number: 1), .requested(1, .status)))
  }

  /// Switches location services on or off for the whole board, as the client that stays to the end.
  mutating func switchServices(on isOn: Bool) {
    transcribe?(Transcript.remark(now, "location services \(isOn ? "on" : "off")"))
    occur(.client(ClientID(number: 1), .requested(isOn ? 71 : 70, .setServices(isOn: isOn))))
  }

  /// Delivers samples of a chip on the board.
  mutating func feel(_ batch: AccelerationBatch) { occur(.accelerometer(.samples(batch))) }

  /// Empties the receiver's battery: the receiver restarts with its factory settings.
  mutating func loseMemory() {
    receiver.removePower(keepsBattery: false, at: now)
    receiver.applyPower(at: now)
  }

  /// Disturbs the receiver's reception from now on.
  mutating func threaten(_ kind: World.Threat.Kind, for duration: Interval) {
    transcribe?(Transcript.remark(now, "\(kind)"))
    receiver.world.threats.append(World.Threat(kind: kind, start: now, end: now + duration))
  }
}
