/// A sentence of NMEA 0183 (IEC 61162-1): the text between `$` and `*`.
public struct NMEASentence: Equatable, Codable, Sendable {
  /// The sentence without `$`, checksum and line end, such as `GNTXT,01,01,02,u-blox AG`.
  public var text: String

  public init(text: String) {
    self.text = text
  }

  init(_ payload: Payload) {
    text = payload.text()
  }

  /// The address field, such as `GNRMC` or `PUBX`.
  public var address: String { String(text.prefix { $0 != "," }) }

  /// The three letters of the sentence's kind, such as `RMC`; for proprietary sentences the whole address.
  public var formatter: String { address.hasPrefix("P") ? address : String(address.suffix(3)) }

  /// The fields after the address, including empty fields.
  public var fields: [Substring] {
    Array(text.split(separator: ",", omittingEmptySubsequences: false).dropFirst())
  }

  /// The time of day as received, such as `120000.00`; nil if the sentence has no time or an empty one.
  public var timeField: Substring? {
    let fields = fields
    let index: Int
    switch formatter {
    case "RMC", "GGA", "GNS", "GST", "ZDA": index = 0
    case "PUBX" where fields.first == "00" || fields.first == "04": index = 1
    case "GLL": index = 4
    case _: return nil
    }
    guard index < fields.count, !fields[index].isEmpty else { return nil }
    return fields[index]
  }

  /// The whole sentence with `$`, checksum and line end.
  public var frame: [UInt8] {
    let body = Array(text.utf8)
    let sum = body.reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "$")] + body
      + [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
  }
}
