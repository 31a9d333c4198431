/// Reads the fields of a sentence in order and in place; fields after the last one are empty.
struct NMEAFields {
  private let payload: Payload
  private var offset: Int

  /// A number as received: `mantissa` times ten to the power of minus `decimals`.
  struct Decimal: Equatable {
    var mantissa: Int64
    var decimals: Int

    /// The number in units of ten to the power of minus `wanted`, rounded; nil when it does not fit.
    func scaled(to wanted: Int) -> Int64? {
      var value = mantissa
      var decimals = decimals
      while decimals < wanted {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        value = product
        decimals += 1
      }
      guard decimals > wanted else { return value }
      var divisor: Int64 = 1
      for _ in wanted..<decimals { divisor *= 10 }
      let half = divisor / 2
      return (value + (value < 0 ? -half : half)) / divisor
    }
  }

  init(_ payload: Payload) {
    self.payload = payload
    offset = 0
    skip(1)
  }

  /// Skips fields.
  mutating func skip(_ count: Int) {
    for _ in 0..<count { _ = next() }
  }

  /// The first byte of the next field; nil when it is empty.
  mutating func character() -> UInt8? {
    let range = next()
    return range.isEmpty ? nil : payload[range.lowerBound]
  }

  /// The first two bytes of the next field; 0 for missing bytes.
  mutating func letters() -> (UInt8, UInt8) {
    let range = next()
    let start = range.lowerBound
    return (range.count > 0 ? payload[start] : 0, range.count > 1 ? payload[start + 1] : 0)
  }

  /// The next field, in the format of GNS, as a quality of GGA: 0 no fix, 6 dead reckoning.
  ///
  /// GNS has a letter for each satellite system.
  mutating func quality() -> Int {
    var quality = 0
    for place in next() {
      switch payload[place] {
      case UInt8(ascii: "A"), UInt8(ascii: "P"): quality = max(quality, 1)
      case UInt8(ascii: "D"): quality = max(quality, 2)
      case UInt8(ascii: "R"), UInt8(ascii: "F"): quality = max(quality, 4)
      case UInt8(ascii: "E") where quality == 0: quality = 6
      case _: break
      }
    }
    return quality
  }

  /// Skips a number of fields and reads the next field as a number.
  mutating func decimal(after count: Int) -> Decimal? {
    skip(count)
    return decimal()
  }

  /// The next field as a number; nil when it is empty or not a number.
  mutating func decimal() -> Decimal? {
    let range = next()
    var place = range.lowerBound
    let isNegative = place < range.upperBound && payload[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var number = Decimal(mantissa: 0, decimals: 0)
    var digits = 0
    var isFraction = false
    while place < range.upperBound {
      let byte = payload[place]
      place += 1
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits < 17 else { return nil }
      number.mantissa = number.mantissa * 10 + Int64(byte - UInt8(ascii: "0"))
      digits += 1
      if isFraction { number.decimals += 1 }
    }
    guard digits > 0 else { return nil }
    if isNegative { number.mantissa = -number.mantissa }
    return number
  }

  /// The next field as an integer; nil when the field is empty or not an integer.
  mutating func integer() -> Int? {
    guard let number = decimal(), number.decimals == 0 else { return nil }
    return Int(exactly: number.mantissa)
  }

  /// The next field, `hhmmss.sss`, as nanoseconds since midnight; second 60 is a leap second.
  mutating func timeOfDay() -> Int64? {
    guard let written = decimal()?.scaled(to: 9), written >= 0 else { return nil }
    let fields = written / 1_000_000_000
    let (hour, minute, second) = (fields / 10_000, fields / 100 % 100, fields % 100)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    return (hour * 3_600 + minute * 60 + second) * 1_000_000_000 + written % 1_000_000_000
  }

  /// The next two fields, `ddmm.mmmm` and the hemisphere, in 1e-7 degrees, north and east positive.
  mutating func angleE7(limitDegrees: Int64) -> Int32? {
    let written = decimal()?.scaled(to: 7)
    let hemisphere = character()
    guard let written, written >= 0, let hemisphere else { return nil }
    let degrees = written / 1_000_000_000
    let minutesE7 = written % 1_000_000_000
    guard minutesE7 < 600_000_000 else { return nil }
    let angle = degrees * 10_000_000 + (minutesE7 + 30) / 60
    guard angle <= limitDegrees * 10_000_000 else { return nil }
    switch hemisphere {
    case UInt8(ascii: "N"), UInt8(ascii: "E"): return Int32(angle)
    case UInt8(ascii: "S"), UInt8(ascii: "W"): return Int32(-angle)
    case _: return nil
    }
  }

  private mutating func next() -> Range<Int> {
    let start = min(offset, payload.count)
    var end = start
    while end < payload.count, payload[end] != UInt8(ascii: ",") { end += 1 }
    offset = end + 1
    return start..<end
  }
}
