import BinnacleBasics

/// Finds UBX frames and NMEA sentences in the bytes that the host sends to the simulated receiver.
///
/// The reader shares no code with the `UBX` module: a peer with the same reader as the tested program would share its
/// errors.
struct CommandReader: Sendable {
  enum Command: Equatable, Sendable {
    case message(messageClass: UInt8, id: UInt8, payload: [UInt8])
    /// A sentence's address, such as `PGRM`.
    case sentence(String)
  }

  /// The length is longer than any command; the reader abandons a frame that claims a longer payload.
  static let payloadLengthMax = 1_024
  /// The reader abandons a frame that stops for this long.
  ///
  /// No document states the time. The time is short, because hosts reach a receiver that has heard garbage before.
  static let pauseMax = Interval.milliseconds(500)
  private var pending: [UInt8] = []
  private var lastByteAt: Instant?

  mutating func reset() {
    pending.removeAll()
  }

  mutating func take(_ bytes: [UInt8], at now: Instant) -> [Command] {
    if let lastByteAt, now - lastByteAt > CommandReader.pauseMax { pending.removeAll() }
    lastByteAt = now
    pending.append(contentsOf: bytes)
    var commands: [Command] = []
    var start = 0
    while start < pending.count {
      switch step(at: start) {
      case .skip: start += 1
      case .wait:
        pending.removeFirst(start)
        return commands
      case .found(let command, let length):
        commands.append(command)
        start += length
      }
    }
    pending.removeAll(keepingCapacity: true)
    return commands
  }

  private enum Step {
    case skip
    case wait
    case found(Command, length: Int)
  }

  private func step(at start: Int) -> Step {
    let left = pending.count - start
    switch pending[start] {
    case 0xB5:
      if left < 2 { return .wait }
      guard pending[start + 1] == 0x62 else { return .skip }
      if left < 6 { return .wait }
      let length = Int(pending[start + 4]) | Int(pending[start + 5]) << 8
      guard length <= CommandReader.payloadLengthMax else { return .skip }
      if left < length + 8 { return .wait }
      let body = Array(pending[start + 2..<start + 6 + length])
      let sum = ReceiverFrame.checksum(body)
      guard sum.0 == pending[start + 6 + length], sum.1 == pending[start + 7 + length] else {
        return .skip
      }
      let command = Command.message(
        messageClass: body[0], id: body[1], payload: Array(body.dropFirst(4)))
      return .found(command, length: length + 8)
    case 0x24:
      return sentenceStep(at: start)
    default: return .skip
    }
  }

  private func sentenceStep(at start: Int) -> Step {
    var sum: UInt8 = 0
    var index = start + 1
    while index < pending.count, index - start < 90 {
      let byte = pending[index]
      if byte == 0x2A {
        guard index + 2 < pending.count else { return .wait }
        let digits = String(decoding: pending[index + 1...index + 2], as: UTF8.self)
        guard UInt8(digits, radix: 16) == sum else { return .skip }
        let address = pending[start + 1..<index].prefix { $0 != 0x2C }
        let command = Command.sentence(String(decoding: address, as: UTF8.self))
        return .found(command, length: index + 3 - start)
      }
      guard (0x20..<0x7F).contains(byte) else { return .skip }
      sum ^= byte
      index += 1
    }
    return index - start < 90 ? .wait : .skip
  }
}

/// Frames as the receiver writes them (Docs/SOURCES.md, U1).
enum ReceiverFrame {
  /// The 8-bit Fletcher sum over class, id, length and payload.
  static func checksum(_ body: some Sequence<UInt8>) -> (UInt8, UInt8) {
    var a: UInt8 = 0
    var b: UInt8 = 0
    for byte in body {
      a &+= byte
      b &+= a
    }
    return (a, b)
  }

  static func ubx(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var body = [messageClass, id, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)]
    body += payload
    let sum = checksum(body)
    return [0xB5, 0x62] + body + [sum.0, sum.1]
  }

  static func nmea(_ text: String) -> [UInt8] {
    var sum: UInt8 = 0
    for byte in text.utf8 { sum ^= byte }
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }
}
