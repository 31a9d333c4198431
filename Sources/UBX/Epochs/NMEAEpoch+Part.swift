/// Identifies sentences.
extension NMEAEpoch {
  /// The sentences that arrived.
  struct Parts: OptionSet, Codable, Sendable {
    let rawValue: UInt16
    static let rmc = Parts(rawValue: 1 << 0)
    static let gga = Parts(rawValue: 1 << 1)
    static let gsa = Parts(rawValue: 1 << 2)
    static let gst = Parts(rawValue: 1 << 3)
    static let vtg = Parts(rawValue: 1 << 4)
    static let zda = Parts(rawValue: 1 << 5)
    static let gll = Parts(rawValue: 1 << 6)
    static let gns = Parts(rawValue: 1 << 7)
    static let pubx00 = Parts(rawValue: 1 << 8)
    static let pubx04 = Parts(rawValue: 1 << 9)
    static let withPosition: Parts = [.rmc, .gga, .gll, .gns, .pubx00]
    static let untimed: Parts = [.gsa, .vtg]
  }

  /// The sentence, from any talker; nil if the sentence has no part of a solution.
  static func part(of payload: Payload) -> Parts? {
    guard payload.count > 7 else { return nil }
    if payload[0] == UInt8(ascii: "P") { return proprietaryPart(of: payload) }
    guard payload[5] == UInt8(ascii: ",") else { return nil }
    switch (payload[2], payload[3], payload[4]) {
    case (0x52, 0x4D, 0x43): return .rmc
    case (0x47, 0x47, 0x41): return .gga
    case (0x47, 0x53, 0x41): return .gsa
    case (0x47, 0x53, 0x54): return .gst
    case (0x56, 0x54, 0x47): return .vtg
    case (0x5A, 0x44, 0x41): return .zda
    case (0x47, 0x4C, 0x4C): return .gll
    case (0x47, 0x4E, 0x53): return .gns
    case _: return nil
    }
  }

  /// `PUBX,00,` and `PUBX,04,`.
  private static func proprietaryPart(of payload: Payload) -> Parts? {
    guard payload[1] == UInt8(ascii: "U"), payload[2] == UInt8(ascii: "B"),
      payload[3] == UInt8(ascii: "X"), payload[4] == UInt8(ascii: ","),
      payload[5] == UInt8(ascii: "0"), payload[7] == UInt8(ascii: ",")
    else { return nil }
    switch payload[6] {
    case UInt8(ascii: "0"): return .pubx00
    case UInt8(ascii: "4"): return .pubx04
    case _: return nil
    }
  }

  /// The time in a sentence; nil if the sentence has none.
  static func timeOfDay(in payload: Payload, _ part: Parts) -> Int64? {
    if part == .gsa || part == .vtg { return nil }
    var fields = NMEAFields(payload)
    if part == .gll { fields.skip(4) }
    if part == .pubx00 || part == .pubx04 { fields.skip(1) }
    return fields.timeOfDay()
  }
}
