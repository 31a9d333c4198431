import Basics

/// Writes an epoch as NMEA sentences.
///
/// Shapes: M8 as in gpsd-ublox8-uniqid-monhw.log (NMEA 4.0), M10 as in gpsd-neo-m9n-nmea.log (NMEA 4.10: signal
/// and system numbers, RMC with navigational status). Sentences without a fix: as owners' logs of M10 show them.
enum SentenceEncoder {
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
    case .navPVT, .navSTATUS, .navSAT, .navDOP, .navPOSLLH, .navVELNED, .navSOL, .navTIMEUTC,
      .navEOE:
      preconditionFailure("a UBX message is no sentence")
    }
    return texts.map(ReceiverFrame.nmea)
  }

  /// A notice of the receiver; kind 0 is an error, 1 a warning, 2 a notice.
  static func notice(_ text: String, kind: Int) -> [UInt8] {
    ReceiverFrame.nmea("GNTXT,01,01,0\(kind),\(text)")
  }

  private static func rmc(_ epoch: Epoch, _ generation: Generation) -> String {
    let status = generation == .m10 ? ",V" : ""
    guard epoch.hasPosition else {
      return "GNRMC,\(time(epoch)),V,,,,,,,\(date(epoch)),,,N\(status)"
    }
    let course = epoch.isHeadingFrozen ? "" : decimal(Int(epoch.headingOfMotionE5) / 1_000, 2)
    return "GNRMC,\(time(epoch)),A,\(place(epoch)),\(knots(epoch)),\(course),\(date(epoch)),,,A"
      + status
  }

  private static func vtg(_ epoch: Epoch) -> String {
    guard epoch.hasPosition else { return "GNVTG,,,,,,,,,N" }
    let course = epoch.isHeadingFrozen ? "" : decimal(Int(epoch.headingOfMotionE5) / 1_000, 2)
    let kilometers = decimal(Int(epoch.groundSpeed) * 36 / 10, 3)
    return "GNVTG,\(course),T,,M,\(knots(epoch)),N,\(kilometers),K,A"
  }

  private static func gga(_ epoch: Epoch) -> String {
    guard epoch.hasPosition else { return "GNGGA,\(time(epoch)),,,,,0,00,99.99,,,,,," }
    let altitude = decimal(Int(epoch.heightMSLMillimeters) / 100, 1)
    let separation = decimal(
      (Int(epoch.heightMillimeters) - Int(epoch.heightMSLMillimeters)) / 100, 1)
    return "GNGGA,\(time(epoch)),\(place(epoch)),1,\(padded(min(12, epoch.usedCount), 2)),"
      + "\(decimal(epoch.horizontalDOPE2, 2)),\(altitude),M,\(separation),M,,"
  }

  private static func gll(_ epoch: Epoch) -> String {
    guard epoch.hasPosition else { return "GNGLL,,,,,\(time(epoch)),V,N" }
    return "GNGLL,\(place(epoch)),\(time(epoch)),A,A"
  }

  private static func gsa(_ epoch: Epoch, _ generation: Generation) -> [String] {
    let dilutions =
      "\(decimal(Int(epoch.positionDOPE2), 2)),\(decimal(epoch.horizontalDOPE2, 2)),"
      + decimal(epoch.verticalDOPE2, 2)
    let dimension = epoch.hasPosition ? epoch.fixType : 1
    return generation.systems.map { system in
      let used = epoch.satellites.filter { $0.isUsed && $0.system == system && epoch.hasPosition }
      var numbers = used.prefix(12).map { padded(Int($0.number) + system.sentenceOffset, 2) }
      while numbers.count < 12 { numbers.append("") }
      let number = generation == .m10 ? ",\(system.sentenceNumber)" : ""
      return "GNGSA,A,\(dimension),\(numbers.joined(separator: ",")),\(dilutions)\(number)"
    }
  }

  private static func gsv(_ epoch: Epoch, _ generation: Generation) -> [String] {
    var texts: [String] = []
    for system in generation.systems {
      let seen = epoch.satellites.filter { $0.system == system }
      let total = max(1, (seen.count + 3) / 4)
      let signal = generation == .m10 ? ",\(system.signalNumber)" : ""
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

  // MARK: - Fields

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

  /// Degrees and minutes with five decimals out of 1e-7 degrees.
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
