import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import LocationEngine

/// The receiver's serial port: carries out the engine's orders and reports events.
final class SerialReceiver {
  let path: String
  private var port: SerialPort?
  private var buffer = [UInt8](repeating: 0, count: 4_096)
  /// Warnings about the port that are not logged yet.
  private var warnings: [String] = []

  init(path: String) {
    self.path = path
  }

  /// The descriptor to poll; nil while the port is closed.
  var descriptor: Int32? { port?.descriptor }
  var wantsToWrite: Bool { port?.interest.contains(.writing) ?? false }
  var nextDeadline: Instant? { port?.nextDeadline }

  // MARK: Orders

  func open(speed: Int, into events: inout [Event]) {
    // The old port is closed first, because it would block the new one.
    warnings = []
    port = nil
    do throws(ReceiverFault) {
      let opened = try SerialPort.open(path: path, speed: speed)
      port = opened
      warnings = opened.warnings
      events.append(
        .receiver(.opened(.init(kind: SerialReceiver.kind(opened.kind), speed: opened.speed))))
    } catch {
      events.append(.receiver(.openFailed(error)))
    }
  }

  func takeWarnings() -> [String] {
    defer { warnings.removeAll() }
    return warnings
  }

  func close() {
    port = nil
  }

  func write(_ bytes: [UInt8], at now: Instant, into events: inout [Event]) {
    deliver(port?.write(bytes, at: now), into: &events)
  }

  /// Changes the speed after all written bytes were sent at the old speed.
  func setSpeed(_ speed: Int, at now: Instant, into events: inout [Event]) {
    deliver(port?.changeSpeed(to: speed, at: now), into: &events)
  }

  // MARK: Poll results

  func ready(
    _ readiness: Poll.Readiness, at now: Instant, into events: inout [Event]
  ) {
    guard let port else { return }
    if !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) {
      switch port.read(into: &buffer, readiness: readiness) {
      case .bytes(let count): events.append(.receiver(.bytesArrived(Array(buffer[..<count]))))
      case .nothing: break
      case .lost(let error): lose(error, into: &events)
      }
    }
    if readiness.contains(.writable) { deliver(self.port?.proceed(at: now), into: &events) }
  }

  func deadlineReached(at now: Instant, into events: inout [Event]) {
    guard let port, let due = port.nextDeadline, due <= now else { return }
    deliver(port.proceed(at: now), into: &events)
  }

  // MARK: Helpers

  private func deliver(_ facts: [SerialPort.Fact]?, into events: inout [Event]) {
    for fact in facts ?? [] {
      switch fact {
      case .drained: events.append(.receiver(.drained))
      case .speedChanged(let speed): events.append(.receiver(.speedChanged(speed)))
      case .speedRefused(let speed): events.append(.receiver(.speedRefused(speed)))
      case .lost(let error): lose(error, into: &events)
      }
    }
  }

  private func lose(_ error: ReceiverFault, into events: inout [Event]) {
    port = nil
    events.append(.receiver(.lost(error)))
  }

  private static func kind(_ kind: LineKind) -> Event.ReceiverPort.Kind {
    switch kind {
    case .uart: .uart
    case .usb: .usb
    case .pseudoTerminal: .pseudoTerminal
    }
  }
}
