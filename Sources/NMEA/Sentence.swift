/// One sentence of NMEA 0183: `$`, talker, formatter, fields, checksum, CR LF.
///
/// Source: NMEA 0183 version 4.10, section 5.3. The checksum is the exclusive or of all characters between `$` and `*`.
struct Sentence {
  private var text: String

  /// - Parameters:
  ///   - talker: two letters, such as `GP` or `GN`.
  ///   - formatter: three letters, such as `RMC`.
  init(_ talker: String, _ formatter: String) {
    text = talker + formatter
  }

  /// Appends a field; an unknown value is an empty field.
  mutating func add(_ field: String?) {
    text += "," + (field ?? "")
  }

  mutating func add(_ fields: String?...) {
    for field in fields { add(field) }
  }

  /// The sentence with checksum and line end; every character is ASCII.
  var bytes: [UInt8] {
    let checksum = text.utf8.reduce(0, ^)
    let digits = String(checksum, radix: 16, uppercase: true)
    return Array("$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }
}
