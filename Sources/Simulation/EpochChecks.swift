import BinnacleBasics

/// Properties that the messages of one epoch have in relation to each other.
enum EpochChecks {
  /// NAV messages that begin with the time of week.
  private static let timed: [UInt8] = [
    0x01, 0x02, 0x03, 0x04, 0x06, 0x07, 0x11, 0x12, 0x20, 0x21, 0x22, 0x26, 0x30, 0x35, 0x36,
    0x43, 0x61,
  ]

  static func violations(in frames: [RecordedFrame]) -> [ReceiverChecks.Violation] {
    var violations: [ReceiverChecks.Violation] = []
    var pvt: RecordedPVT?
    var closed: UInt32?
    for frame in frames {
      guard frame.kind == .ubx, frame.messageClass == 0x01, timed.contains(frame.id) else {
        continue
      }
      var reader = ByteReader(frame.payload)
      guard let iTOW = reader.u32() else { continue }
      func check(_ property: String, _ holds: Bool) {
        guard !holds else { return }
        violations.append(
          .init(
            property: property, offset: frame.offset,
            detail: "id \(frame.id) iTOW \(iTOW) \(pvt.map { "\($0)" } ?? "")"))
      }
      check("NAV-EOE closes the epoch", closed != iTOW)
      if let found = RecordedPVT(frame) {
        pvt = found
      } else if let pvt, pvt.iTOW == iTOW {
        check("NAV-SAT agrees with NAV-PVT", frame.id != 0x35 || agrees(frame, pvt))
        check("NAV-DOP agrees with NAV-PVT", frame.id != 0x04 || hasSameDOP(frame, pvt))
        check("NAV-STATUS agrees with NAV-PVT", frame.id != 0x03 || hasSameFix(frame, pvt))
      } else if let pvt, [0x35, 0x03, 0x04, 0x61].contains(frame.id) {
        check(
          "NAV-PVT comes before NAV-SAT, STATUS, DOP and EOE",
          iTOW < pvt.iTOW || iTOW - pvt.iTOW > 50)
      }
      if frame.id == 0x35 { check("NAV-SAT is well formed", isWellFormed(frame)) }
      if frame.id == 0x04 { check("PDOP squared is HDOP and VDOP squared", isPythagorean(frame)) }
      if frame.id == 0x61 { closed = iTOW }
    }
    return violations
  }

  private struct Entry {
    var signal: UInt8
    var elevation: Int8
    var azimuth: Int16
    var flags: UInt32
    var isUsed: Bool { flags & 8 != 0 }
  }

  private static func entries(_ frame: RecordedFrame) -> [Entry] {
    var reader = ByteReader(Array(frame.payload.dropFirst(8)))
    var entries: [Entry] = []
    while let _ = reader.u16(), let signal = reader.u8(), let elevation = reader.i8(),
      let azimuth = reader.i16(), reader.i16() != nil, let flags = reader.u32()
    {
      entries.append(
        Entry(signal: signal, elevation: elevation, azimuth: azimuth, flags: flags))
    }
    return entries
  }

  private static func isWellFormed(_ frame: RecordedFrame) -> Bool {
    guard frame.payload.count >= 8, frame.payload[4] == 1,
      frame.payload.count == 8 + 12 * Int(frame.payload[5])
    else { return false }
    return entries(frame).allSatisfy { entry in
      (0...360).contains(entry.azimuth) && entry.signal <= 63
        && (!entry.isUsed || (entry.signal > 0 && entry.flags & 7 >= 4))
    }
  }

  /// Checks the satellites in use; ZED-F9R counts one fewer in every second epoch (gpsd-zed-f9r.log).
  private static func agrees(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    let used = entries(frame).count { $0.isUsed }
    return (used - Int(pvt.satelliteCount)).magnitude <= 1
  }

  private static func hasSameDOP(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    var reader = ByteReader(frame.payload)
    guard reader.u32() != nil, reader.u16() != nil, let position = reader.u16() else {
      return false
    }
    return position == pvt.positionDOP
  }

  private static func isPythagorean(_ frame: RecordedFrame) -> Bool {
    var reader = ByteReader(frame.payload)
    guard reader.take(6) != nil, let position = reader.u16(), reader.u16() != nil,
      let vertical = reader.u16(), let horizontal = reader.u16()
    else { return false }
    guard position < 9_999, vertical < 9_999, horizontal < 9_999 else { return true }
    let sum = Double(vertical) * Double(vertical) + Double(horizontal) * Double(horizontal)
    return (sum.squareRoot() - Double(position)).magnitude <= 2 + Double(position) * 0.01
  }

  private static func hasSameFix(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 16 else { return false }
    return frame.payload[4] == pvt.fixType && (frame.payload[5] & 1 != 0) == pvt.isFixOK
  }
}
