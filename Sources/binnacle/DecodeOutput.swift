import BinnacleBasics
import BinnaclePosix
import UBX

/// Lines for standard output, collected for large writes; no line costs an allocation.
struct DecodeOutput {
  private static let sizeMax = 262_144
  /// The longest line.
  private static let lineMax = 2_048

  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(DecodeOutput.sizeMax)
  }

  /// Writes the collected lines.
  mutating func flush() throws(DecodeFailure) {
    guard !bytes.isEmpty else { return }
    let descriptor = FileDescriptor(owning: 1)
    var failure: Errno?
    do throws(Errno) {
      try descriptor.writeAll(bytes)
    } catch {
      failure = error
    }
    // Standard output must stay open.
    _ = descriptor.release()
    bytes.removeAll(keepingCapacity: true)
    if let failure { throw .output(failure) }
  }

  /// Adds a tab-separated line: kind, offset, length, and the identity of the message.
  mutating func write(_ frame: Frame, address: String) throws(DecodeFailure) {
    switch frame.kind {
    case .ubx(let messageClass, let id):
      place("UBX", frame)
      hexadecimal(messageClass)
      text("-")
      hexadecimal(id)
    case .nmea:
      place("NMEA", frame)
      bytes.append(contentsOf: address.utf8)
    case .rtcm(let number):
      place("RTCM", frame)
      integer(Int64(number))
    }
    try endLine()
  }

  /// Adds a JSON object on one line; `Docs/SPEC-json.md` has its keys.
  mutating func write(_ solution: NavigationSolution) throws(DecodeFailure) {
    text("{\"source\":\"")
    text(solution.source.name)
    text("\"")
    number(",\"itow_ms\":", solution.iTOWMilliseconds.map { Int64($0) }, 0)
    if let utc = solution.utc { time(utc) }
    if solution.isUTCReckoned { text(",\"utc_origin\":\"gps_time\"") }
    if let time = solution.timeOfDayNanoseconds { timeOfDay(time) }
    flag(",\"valid_date\":", solution.isDateValid)
    flag(",\"valid_time\":", solution.isTimeValid)
    number(",\"t_acc_ns\":", solution.timeAccuracyNanoseconds.map { Int64($0) }, 0)
    number(",\"fix_type\":", solution.fixType.map { Int64($0.rawValue) }, 0)
    flag(",\"fix_ok\":", solution.isFixOK && solution.hasPosition)
    number(",\"satellites\":", solution.satelliteCount.map { Int64($0) }, 0)
    number(",\"satellites_in_view\":", solution.satellitesInView.map { Int64($0) }, 0)
    if let sentence = solution.sentence { text(",\"position_from\":\"", sentence.name, "\"") }
    if let position = solution.position { self.position(position) }
    if let position = solution.highPrecision { self.position(position) }
    accuracy(of: solution)
    number(",\"v_acc_m\":", solution.verticalAccuracyMillimeters.map { Int64($0) }, 3)
    if let velocity = solution.velocity {
      number(",\"vel_n_mps\":", Int64(velocity.north), 3)
      number(",\"vel_e_mps\":", Int64(velocity.east), 3)
      number(",\"vel_d_mps\":", Int64(velocity.down), 3)
    }
    number(",\"ground_speed_mps\":", solution.groundSpeedMillimetersPerSecond.map { Int64($0) }, 3)
    number(",\"heading_motion_deg\":", solution.headingOfMotionE5.map { Int64($0) }, 5)
    number(",\"s_acc_mps\":", solution.speedAccuracyMillimetersPerSecond.map { Int64($0) }, 3)
    number(",\"heading_acc_deg\":", solution.headingAccuracyE5.map { Int64($0) }, 5)
    number(",\"p_dop\":", solution.positionDOPE2.map { Int64($0) }, 2)
    number(",\"hdop\":", solution.horizontalDOPE2.map { Int64($0) }, 2)
    number(",\"vdop\":", solution.verticalDOPE2.map { Int64($0) }, 2)
    text("}")
    try endLine()
  }

  private mutating func position(_ position: NavigationSolution.Position) {
    number(",\"latitude\":", Int64(position.latitudeE7), 7)
    number(",\"longitude\":", Int64(position.longitudeE7), 7)
    number(",\"height_m\":", position.heightMillimeters.map { Int64($0) }, 3)
    number(",\"height_msl_m\":", position.heightMSLMillimeters.map { Int64($0) }, 3)
  }

  private mutating func position(_ position: NavigationSolution.HighPrecisionPosition) {
    number(",\"latitude_hp\":", position.latitudeE9, 9)
    number(",\"longitude_hp\":", position.longitudeE9, 9)
    number(",\"height_hp_m\":", position.heightE4, 4)
    number(",\"height_msl_hp_m\":", position.heightMSLE4, 4)
  }

  /// Adds the receiver's accuracy.
  ///
  /// A fix from sentences without an accuracy gets the same estimate as live updates, marked as an estimate.
  private mutating func accuracy(of solution: NavigationSolution) {
    let sent = solution.horizontalAccuracyMillimeters.map { Int64($0) }
    number(",\"h_acc_m\":", sent, 3)
    guard sent == nil, solution.isFixOK, solution.position != nil,
      let estimate = solution.horizontalAccuracy
    else { return }
    number(",\"h_acc_m\":", estimate.millimeters, 3)
    switch estimate.origin {
    case .receiver: break
    case .dilution: text(",\"accuracy_origin\":\"dilution\"")
    case .assumed: text(",\"accuracy_origin\":\"assumed\"")
    }
  }

  private mutating func timeOfDay(_ nanoseconds: Int64) {
    let seconds = Int(nanoseconds / 1_000_000_000)
    text(",\"time_of_day\":\"")
    digits(seconds / 3_600, 2)
    text(":")
    digits(seconds / 60 % 60, 2)
    text(":")
    digits(seconds % 60, 2)
    text(".")
    digits(Int(nanoseconds % 1_000_000_000), 9)
    text("\"")
  }

  private mutating func time(_ utc: UTCTime) {
    let calendar = utc.calendar
    text(",\"utc\":\"")
    digits(calendar.year, 4)
    text("-")
    digits(calendar.month, 2)
    text("-")
    digits(calendar.day, 2)
    text("T")
    digits(calendar.hour, 2)
    text(":")
    digits(calendar.minute, 2)
    text(":")
    digits(calendar.second, 2)
    text(".")
    digits(Int(utc.nanoseconds), 9)
    text("Z\"")
  }

  private mutating func place(_ kind: StaticString, _ frame: Frame) {
    text(kind)
    text("\t")
    integer(Int64(frame.offset))
    text("\t")
    integer(Int64(frame.length))
    text("\t")
  }

  private mutating func endLine() throws(DecodeFailure) {
    text("\n")
    if bytes.count > DecodeOutput.sizeMax - DecodeOutput.lineMax { try flush() }
  }

  private mutating func flag(_ key: StaticString, _ value: Bool) {
    text(key)
    text(value ? "true" : "false")
  }

  /// Adds an integer as a decimal fraction with this number of decimals; adds nothing for nil.
  private mutating func number(_ key: StaticString, _ value: Int64?, _ decimals: Int) {
    guard let value else { return }
    text(key)
    guard decimals > 0 else { return integer(value) }
    let unit = DecodeOutput.powersOfTen[decimals]
    if value < 0 { text("-") }
    let magnitude = value.magnitude
    integer(Int64(clamping: magnitude / unit))
    text(".")
    digits(Int(magnitude % unit), decimals)
  }

  private static let powersOfTen: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  private mutating func integer(_ value: Int64) {
    if value < 0 { text("-") }
    let magnitude = value.magnitude
    var width = 1
    var rest = magnitude / 10
    while rest > 0 {
      rest /= 10
      width += 1
    }
    digits(Int(clamping: magnitude), width)
  }

  /// Adds the last digits of a number, with leading zeros.
  private mutating func digits(_ value: Int, _ width: Int) {
    let end = bytes.count + width
    for _ in 0..<width { bytes.append(UInt8(ascii: "0")) }
    var rest = value
    var place = end
    while rest > 0, place > end - width {
      place -= 1
      bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  private mutating func hexadecimal(_ byte: UInt8) {
    for digit in [byte >> 4, byte & 15] {
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit)
    }
  }

  private mutating func text(_ start: StaticString, _ middle: String, _ end: StaticString) {
    text(start)
    bytes.append(contentsOf: middle.utf8)
    text(end)
  }

  private mutating func text(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}

extension NavigationSolution.Source {
  /// The name in the documents.
  var name: StaticString {
    switch self {
    case .navPVT: "NAV-PVT"
    case .navSOL: "NAV-SOL"
    case .navPOSLLH: "NAV-POSLLH"
    case .nmea: "NMEA"
    case .navPVAT: "NAV-PVAT"
    case .hnrPVT: "HNR-PVT"
    }
  }
}
