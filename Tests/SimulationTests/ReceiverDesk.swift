import BinnacleBasics
import Simulation

/// A host at the far end of a simulated receiver's line: sends commands and collects the answers.
struct ReceiverDesk {
  var receiver: SimulatedReceiver
  var speed = 9_600
  var now = Instant.zero
  var bytes: [UInt8] = []

  init(
    _ generation: Generation, port: SimulatedPort = .uart1, start: StartKind = .hot,
    seed: UInt64 = 1, oddities: [ReceiverOddity] = [], path: Body.Path = .still,
    skies: [World.Sky] = [World.Sky(start: .zero, visibility: 1)]
  ) {
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: path), skies: skies)
    receiver = SimulatedReceiver(
      generation: generation, port: port, world: world, start: start, seed: seed, chunk: 32,
      oddities: oddities, at: .zero)
    if port != .uart1 { speed = receiver.lineSpeed }
  }

  mutating func run(milliseconds: Int64) {
    let end = now + .milliseconds(milliseconds)
    while let due = receiver.nextDeadline, due <= end {
      receiver.advance(to: due)
      hear()
    }
    receiver.advance(to: end)
    hear()
    now = end
  }

  mutating func send(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) {
    receiver.bytesArrived(frame(messageClass, id, payload), at: speed, at: now)
  }

  func frame(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var body = [messageClass, id, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)]
    body += payload
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
  }

  /// The UBX messages so far, oldest first.
  var messages: [RecordedFrame] {
    RecordedFrame.frames(in: bytes).filter { $0.kind == .ubx }
  }

  var sentences: [String] {
    RecordedFrame.frames(in: bytes).filter { $0.kind == .nmea }
      .map { String(decoding: $0.payload, as: UTF8.self) }
  }

  /// The answers to one command, acknowledgements and data, as class, id and payload.
  mutating func answers(
    to messageClass: UInt8, _ id: UInt8, _ payload: [UInt8], within milliseconds: Int64 = 3_000
  ) -> [RecordedFrame] {
    let before = bytes.count
    send(messageClass, id, payload)
    run(milliseconds: milliseconds)
    return RecordedFrame.frames(in: Array(bytes[before...])).filter {
      $0.kind == .ubx && $0.messageClass != 0x01
    }
  }

  mutating func isAcknowledged(
    _ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8], within milliseconds: Int64 = 3_000
  ) -> Bool? {
    let verdicts = answers(to: messageClass, id, payload, within: milliseconds).filter {
      $0.messageClass == 0x05 && $0.payload == [messageClass, id]
    }
    guard verdicts.count == 1 else { return nil }
    return verdicts[0].id == 1
  }

  /// CFG-VALSET with version 0.
  static func values(_ items: [(key: UInt32, bytes: [UInt8])], layers: UInt8 = 3) -> [UInt8] {
    var payload: [UInt8] = [0, layers, 0, 0]
    for item in items {
      for shift in [0, 8, 16, 24] {
        payload.append(UInt8(truncatingIfNeeded: item.key >> UInt32(shift)))
      }
      payload += item.bytes
    }
    return payload
  }

  /// Sets the rate of a message, with the configuration message of the generation.
  mutating func setRate(_ message: OutputMessage, _ rate: UInt8) -> Bool? {
    // A short wait: the line must be fast and quiet.
    let wait: Int64 = 300
    guard receiver.generation.hasKeys else {
      let address = message.address
      return isAcknowledged(0x06, 0x01, [address.messageClass, address.id, rate], within: wait)
    }
    return isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(message.key, [rate])]), within: wait)
  }

  /// Configures another speed in the receiver, and uses that speed from then on.
  mutating func changeSpeed(to speed: UInt32) {
    let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: speed >> UInt32($0)) }
    if receiver.generation.hasKeys {
      send(0x06, 0x8A, ReceiverDesk.values([(0x4052_0001, bytes)]))
    } else {
      send(0x06, 0x00, [1, 0, 0, 0, 0xD0, 0x08, 0, 0] + bytes + [3, 0, 3, 0, 0, 0, 0, 0])
    }
    run(milliseconds: 2_000)
    self.speed = Int(speed)
  }

  private mutating func hear() {
    for chunk in receiver.takeOutput() {
      bytes += SerialSampling.heard(chunk.bytes, sentAt: chunk.speed, readAt: speed)
    }
  }
}

extension Generation {
  /// Whether the generation is configured by keys; stated here independently of the simulator's table.
  var hasKeys: Bool { [.m10, .m10SPG530].contains(self) }

  /// All messages that the generation can send; stated here independently of the simulator's table.
  var messages: [OutputMessage] {
    let all: [OutputMessage] = [
      .navPOSECEF, .navPOSLLH, .navSTATUS, .navDOP, .navVELECEF, .navVELNED, .navTIMEGPS,
      .navTIMEUTC, .navCLOCK, .gga, .gll, .gsa, .gsv, .rmc, .vtg, .gst, .zda,
    ]
    switch self {
    case .six: return all + [.navSOL, .navSVINFO]
    case .seven: return all + [.navSOL, .navSVINFO, .navPVT]
    case .m8: return all + [.navSOL, .navSVINFO, .navPVT, .navSAT, .navTIMELS, .navEOE]
    case .m10: return all + [.navPVT, .navSAT, .navTIMELS, .navCOV, .navEOE]
    case .m10SPG530: return all + [.navPVT, .navSAT, .navTIMELS, .navCOV, .navEOE, .secSIG]
    }
  }
}
