import BinnacleBasics

/// Writes an epoch as NMEA sentences.
///
/// The form of M8 is that of gpsd-ublox8-uniqid-monhw.log (NMEA 4.0). The form of M10 is that of gpsd-neo-m9n-nmea.log
/// (NMEA 4.10: signal and system numbers, RMC with navigational status). Sentences without a fix are those in owners'
/// logs of M10.
enum SentenceEncoder {
  /// The sentences of a kind; empty for a UBX message.
  static func sentences(
    _ message: OutputMessage, of epoch: Epoch, generation: Generation
  ) -> [[UInt8]] {
    let texts: [String]
    switch message {
    case .rmc: texts = [rmc(epoch, generation)]
    case .vtg: texts = [vtg(epoch)]
    case .gga: texts = [gga(epoch)]
    case .gsa: texts = gsa(epoch, generation)
    case .gsv: texts = gsv(epoch, generation)
    case .gll: texts = [gll(epoch)]
    case .gst: texts = [gst(epoch)]
    case .zda: texts = [zda(epoch)]
    case .navPOSECEF, .navPOSLLH, .navSTATUS, .navDOP, .navSOL, .navPVT, .navVELECEF, .navVELNED,
      .navTIMEGPS, .navTIMEUTC, .navCLOCK, .navTIMELS, .navSVINFO, .navSAT, .navCOV, .navEOE,
      .secSIG:
      texts = []
    }
    return texts.map { ReceiverFrame.nmea((message == .gsv ? "" : generation.talker) + $0) }
  }

  /// A notice of the receiver; kind 0 is an error, 1 a warning, 2 a notice.
  static func notice(_ text: String, kind: Int, of generation: Generation) -> [UInt8] {
    ReceiverFrame.nmea("\(generation.talker)TXT,01,01,0\(kind),\(text)")
  }

  private static func rmc(_ epoch: Epoch, _ generation: Generation) -> String {
    let status = generation.hasValueConfiguration ? ",V" : ""
    guard epoch.hasPosition else {
      return "RMC,\(time(epoch)),V,,,,,,,\(date(epoch)),,,N\(status)"
    }
    let course = epoch.isHeadingFrozen ? "" : decimal(Int(epoch.headingOfMotionE5) / 1_000, 2)
    return "RMC,\(time(epoch)),A,\(place(epoch)),\(knots(epoch)),\(course),\(date(epoch)),,,A"
      + status
  }

  private static func vtg(_ epoch: Epoch) -> String {
    guard epoch.hasPosition else { return "VTG,,,,,,,,,N" }
    let course = epoch.isHeadingFrozen ? "" : decimal(Int(epoch.headingOfMotionE5) / 1_000, 2)
    let kilometers = decimal(Int(epoch.groundSpeed) * 36 / 10, 3)
    return "VTG,\(course),T,,M,\(knots(epoch)),N,\(kilometers),K,A"
  }

  private static func gga(_ epoch: Epoch) -> String {
    guard epoch.hasPosition else { return "GGA,\(time(epoch)),,,,,0,00,99.99,,,,,," }
    let altitude = decimal(Int(epoch.heightMSLMillimeters) / 100, 1)
    let separation = decimal(
      (Int(epoch.heightMillimeters) - Int(epoch.heightMSLMillimeters)) / 100, 1)
    return "GGA,\(time(epoch)),\(place(epoch)),1,\(padded(min(12, epoch.usedCount), 2)),"
      + "\(decimal(epoch.horizontalDOPE2, 2)),\(altitude),M,\(separation),M,,"
  }

  private static func gll(_ epoch: Epoch) -> String {
    guard epoch.hasPosition else { return "GLL,,,,,\(time(epoch)),V,N" }
    return "GLL,\(place(epoch)),\(time(epoch)),A,A"
  }

  private static func gsa(_ epoch: Epoch, _ generation: Generation) -> [String] {
    let dilutions =
      epoch.hasPosition
      ? "\(decimal(Int(epoch.positionDOPE2), 2)),\(decimal(epoch.horizontalDOPE2, 2)),"
        + decimal(epoch.verticalDOPE2, 2) : "99.99,99.99,99.99"
    let dimension = epoch.hasPosition ? epoch.fixType : 1
    return generation.systems.map { system in
      let used = epoch.satellites.filter { $0.isUsed && $0.system == system && epoch.hasPosition }
      var numbers = used.prefix(12).map { padded(Int($0.number) + system.sentenceOffset, 2) }
      while numbers.count < 12 { numbers.append("") }
      let number = generation.hasValueConfiguration ? ",\(system.sentenceNumber)" : ""
      return "GSA,A,\(dimension),\(numbers.joined(separator: ",")),\(dilutions)\(number)"
    }
  }

  private static func gsv(_ epoch: Epoch, _ generation: Generation) -> [String] {
    var texts: [String] = []
    for system in generation.systems {
      let seen = epoch.satellites.filter { $0.system == system }
      let total = max(1, (seen.count + 3) / 4)
      let signal = generation.hasValueConfiguration ? ",\(system.signalNumber)" : ""
      for page in 0..<total {
        var text = "\(system.talker)GSV,\(total),\(page + 1),\(padded(seen.count, 2))"
        for satellite in seen.dropFirst(page * 4).prefix(4) {
          text += ",\(padded(Int(satellite.number) + system.sentenceOffset, 2))"
          text += ",\(padded(Int(satellite.elevation), 2)),\(padded(Int(satellite.azimuth), 3)),"
          if satellite.signal > 0 { text += padded(Int(satellite.signal), 2) }
        }
        texts.append(text + signal)
      }
    }
    return texts
  }

  /// Time, RMS of the ranges, the ellipse (3), deviations of latitude, longitude and altitude in meters.
  ///
  /// Receivers that do not compute the RMS and the ellipse leave these four fields empty, which the protocol allows.
  private static func gst(_ epoch: Epoch) -> String {
    guard epoch.hasPosition else { return "GST,\(time(epoch)),,,,,,," }
    // Two equal deviations that together give hAcc.
    let side = Int(Double(epoch.horizontalAccuracyMillimeters) * 0.707_106_781_186_547_5 + 0.5)
    let up = Int(epoch.verticalAccuracyMillimeters)
    return "GST,\(time(epoch)),,,,,\(deviation(side)),\(deviation(side)),\(deviation(up))"
  }

  /// Time, day, month, year, local zone.
  private static func zda(_ epoch: Epoch) -> String {
    guard epoch.isTimeValid, epoch.isDateValid else { return "ZDA,\(time(epoch)),,,,00,00" }
    let calendar = epoch.shownSecond.calendar
    return "ZDA,\(time(epoch)),\(padded(calendar.day, 2)),\(padded(calendar.month, 2)),"
      + "\(padded(calendar.year, 4)),00,00"
  }

  // MARK: - Fields

  /// Meters with two significant digits: 126, 2.5, 0.98, 0.049 (recordings gpsd-neo-m9n-nmea.log, gpsd-zed-f9r.log).
  private static func deviation(_ millimeters: Int) -> String {
    switch millimeters {
    case ..<95: decimal(millimeters, 3)
    case ..<995: decimal((millimeters + 5) / 10, 2)
    case ..<9_950: decimal((millimeters + 50) / 100, 1)
    default: String((millimeters + 500) / 1_000)
    }
  }

  private static func time(_ epoch: Epoch) -> String {
    guard epoch.isTimeValid else { return "" }
    let calendar = epoch.shownSecond.calendar
    let hundredths = max(0, Int(epoch.nano) + 5_000_000) / 10_000_000
    return padded(calendar.hour, 2) + padded(calendar.minute, 2) + padded(calendar.second, 2)
      + "." + padded(min(99, hundredths), 2)
  }

  private static func date(_ epoch: Epoch) -> String {
    guard epoch.isDateValid else { return "" }
    let calendar = epoch.shownSecond.calendar
    return padded(calendar.day, 2) + padded(calendar.month, 2) + padded(calendar.year % 100, 2)
  }

  private static func knots(_ epoch: Epoch) -> String {
    // A knot is 1852 m per hour.
    decimal(Int(epoch.groundSpeed) * 3_600 / 1_852, 3)
  }

  private static func place(_ epoch: Epoch) -> String {
    angle(epoch.latitudeE7, width: 2) + (epoch.latitudeE7 < 0 ? ",S," : ",N,")
      + angle(epoch.longitudeE7, width: 3) + (epoch.longitudeE7 < 0 ? ",W" : ",E")
  }

  /// Degrees and minutes with five decimals, from units of 1e-7 degrees.
  private static func angle(_ degreesE7: Int32, width: Int) -> String {
    let magnitude = Int(degreesE7.magnitude)
    let minutesE5 = (magnitude % 10_000_000) * 60 / 100
    return padded(magnitude / 10_000_000, width) + padded(minutesE5 / 100_000, 2) + "."
      + padded(minutesE5 % 100_000, 5)
  }

  private static func decimal(_ scaled: Int, _ places: Int) -> String {
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    let magnitude = Int(scaled.magnitude)
    return (scaled < 0 ? "-" : "") + "\(magnitude / unit)." + padded(magnitude % unit, places)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
