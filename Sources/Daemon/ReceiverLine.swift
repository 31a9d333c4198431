import BinnacleBasics
import BinnaclePosix
import I2C
import LocationEngine

/// The receiver's connection, a serial port or a bus: carries out the engine's orders and reports events.
struct ReceiverLine {
  /// The receiver's path, for a person.
  let path: String
  // Exactly one of the two is not nil.
  private let serial: SerialReceiver?
  private let bus: BusReceiver?

  init(_ serial: SerialReceiver) {
    path = serial.path
    self.serial = serial
    bus = nil
  }

  init(_ bus: BusReceiver) {
    path = bus.path
    self.bus = bus
    serial = nil
  }

  /// The descriptor to poll: the serial port, or the ready line of a receiver on a bus; nil if there is none.
  var descriptor: Int32? { serial?.descriptor ?? bus?.descriptor }
  var wantsToWrite: Bool { serial?.wantsToWrite ?? false }
  var nextDeadline: Instant? { serial?.nextDeadline ?? bus?.nextDeadline }
  /// Failures of the bus so far.
  var busCounters: DDCMachine.Counters? { bus?.counters }

  /// Warnings that are not logged yet.
  func takeWarnings() -> [String] {
    serial?.takeWarnings() ?? bus?.takeWarnings() ?? []
  }

  // MARK: Orders

  func open(speed: Int, at now: Instant, into events: inout [Event]) {
    serial?.open(speed: speed, into: &events)
    bus?.open(at: now, into: &events)
  }

  func close() {
    serial?.close()
    bus?.close()
  }

  func write(_ bytes: [UInt8], at now: Instant, into events: inout [Event]) {
    serial?.write(bytes, at: now, into: &events)
    bus?.write(bytes, at: now, into: &events)
  }

  /// A serial port keeps its bytes until they are read, and reading does not wake the receiver.
  func attend(_ isWanted: Bool, at now: Instant, into events: inout [Event]) {
    bus?.attend(isWanted, at: now, into: &events)
  }

  func setSpeed(_ speed: Int, at now: Instant, into events: inout [Event]) {
    serial?.setSpeed(speed, at: now, into: &events)
    // A bus has its own speed, so every speed is accepted.
    if bus != nil { events.append(.receiver(.speedChanged(speed))) }
  }

  // MARK: Poll results

  func ready(
    _ readiness: Poll.Readiness, at now: Instant, into events: inout [Event]
  ) {
    serial?.ready(readiness, at: now, into: &events)
    bus?.ready(readiness, at: now, into: &events)
  }

  /// Handles the end of an order for the bus.
  ///
  /// - Parameters:
  ///   - outcome: its result.
  ///   - rateHz: the receiver's navigation rate, in Hz.
  ///   - now: the time.
  ///   - events: gets the events for the engine.
  func orderEnded(
    _ outcome: I2COrder.Outcome, rateHz: Int, at now: Instant, into events: inout [Event]
  ) {
    bus?.orderEnded(outcome, rateHz: rateHz, at: now, into: &events)
  }

  func deadlineReached(at now: Instant, into events: inout [Event]) {
    serial?.deadlineReached(at: now, into: &events)
    bus?.deadlineReached(at: now, into: &events)
  }
}
