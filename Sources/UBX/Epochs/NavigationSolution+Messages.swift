import BinnacleBasics

/// An accuracy, unless it is the protocol's mark for "unknown".
func known(_ accuracy: UInt32) -> UInt32? { accuracy == UInt32.max ? nil : accuracy }

/// A dilution of precision, unless it is the protocol's mark for "unknown", 99.99.
func knownDOP(_ dopE2: UInt16) -> UInt16? { dopE2 == 9_999 ? nil : dopE2 }

/// An accuracy of a heading, unless it is the protocol's mark for "unknown", 180 degrees.
func knownHeadingAccuracy(_ accuracyE5: UInt32) -> UInt32? {
  accuracyE5 == 18_000_000 ? nil : accuracyE5
}

extension NavigationSolution {
  /// The solution from NAV-PVT; the epoch decides later whether the position is valid.
  init(_ message: NavPVT) {
    self.init(source: .navPVT)
    iTOWMilliseconds = message.iTOWMilliseconds
    setTime(
      message.utc, isDateValid: message.valid.contains(.date),
      isTimeValid: message.valid.contains(.time))
    if message.confirmation.contains(.available) {
      isTimeConfirmed = message.confirmation.isSuperset(of: [.date, .time])
    }
    timeAccuracyNanoseconds = known(message.timeAccuracyNanoseconds)
    fixType = FixType(rawValue: message.fixType)
    isFixOK = message.flags.contains(.gnssFixOK)
    satelliteCount = Int(message.satelliteCount)
    position = Position(
      latitudeE7: message.latitudeE7, longitudeE7: message.longitudeE7,
      heightMillimeters: message.heightMillimeters,
      heightMSLMillimeters: message.heightMSLMillimeters)
    horizontalAccuracyMillimeters = known(message.horizontalAccuracyMillimeters)
    verticalAccuracyMillimeters = known(message.verticalAccuracyMillimeters)
    velocity = Velocity(
      north: message.velocityNorthMillimetersPerSecond,
      east: message.velocityEastMillimetersPerSecond,
      down: message.velocityDownMillimetersPerSecond)
    groundSpeedMillimetersPerSecond = message.groundSpeedMillimetersPerSecond
    headingOfMotionE5 = message.headingOfMotionE5
    speedAccuracyMillimetersPerSecond = known(message.speedAccuracyMillimetersPerSecond)
    headingAccuracyE5 = knownHeadingAccuracy(message.headingAccuracyE5)
    positionDOPE2 = knownDOP(message.positionDOPE2)
  }

  /// The solution from NAV-PVAT.
  init(_ message: NavPVAT) {
    self.init(message.solution)
    source = .navPVAT
  }

  /// The solution from HNR-PVT.
  init(_ message: HnrPVT) {
    self.init(message.solution)
    source = .hnrPVT
    satelliteCount = nil
    velocity = nil
    // HNR-PVT has no time accuracy, so this flag is the only information about the quality of the time.
    if !message.solution.valid.contains(.fullyResolved) {
      setTime(nil, isDateValid: isDateValid, isTimeValid: false)
    }
  }

  /// Drops a position of zeros without a fix: receivers without a position send zeros.
  mutating func dropPositionNowhere() {
    let isNowhere = position?.latitudeE7 == 0 && position?.longitudeE7 == 0
    if isNowhere, !(fixType?.isGNSSFix ?? false) { position = nil }
    if position == nil { highPrecision = nil }
  }

  mutating func setTime(_ time: UTCTime?, isDateValid: Bool, isTimeValid: Bool) {
    self.isDateValid = isDateValid
    self.isTimeValid = isTimeValid
    isUTCReckoned = false
    utc = isDateValid && isTimeValid ? time : nil
  }
}

extension NavigationSolution.FixType {
  /// Whether the position is from satellites.
  var isGNSSFix: Bool {
    switch self {
    case .none, .deadReckoning, .timeOnly: false
    case .twoDimensional, .threeDimensional, .gnssAndDeadReckoning: true
    }
  }
}

extension NavPVT {
  /// Date and time as one value, valid or not; nil when a field is out of range.
  var utc: UTCTime? {
    UTCTime(
      year: Int(year), month: Int(month), day: Int(day), hour: Int(hour), minute: Int(minute),
      second: Int(second), nanoseconds: Int64(nanoseconds))
  }
}

extension NavTIMEUTC {
  /// Date and time as one value, valid or not; nil when a field is out of range.
  var utc: UTCTime? {
    UTCTime(
      year: Int(year), month: Int(month), day: Int(day), hour: Int(hour), minute: Int(minute),
      second: Int(second), nanoseconds: Int64(nanoseconds))
  }
}

extension NavTIMEGPS {
  /// UTC, valid or not.
  var utc: UTCTime {
    GPSTime(week: week, iTOWMilliseconds: iTOWMilliseconds, fTOWNanoseconds: fTOWNanoseconds)
      .utc(leapSeconds: leapSeconds)
  }
}

extension NavHPPOSLLH {
  /// Sum of the standard and high precision parts.
  var position: NavigationSolution.HighPrecisionPosition {
    NavigationSolution.HighPrecisionPosition(
      latitudeE9: Int64(latitudeE7) * 100 + Int64(latitudePartE9),
      longitudeE9: Int64(longitudeE7) * 100 + Int64(longitudePartE9),
      heightE4: Int64(heightMillimeters) * 10 + Int64(heightPartE4),
      heightMSLE4: Int64(heightMSLMillimeters) * 10 + Int64(heightMSLPartE4))
  }
}

extension NavSOL {
  /// The GPS time of the message.
  var gpsTime: GPSTime {
    GPSTime(week: week, iTOWMilliseconds: iTOWMilliseconds, fTOWNanoseconds: fTOWNanoseconds)
  }

  var state: EarthCenteredState {
    EarthCenteredState(
      x: Double(ecefXCentimeters) / 100, y: Double(ecefYCentimeters) / 100,
      z: Double(ecefZCentimeters) / 100, velocityX: Double(ecefVXCentimetersPerSecond) / 100,
      velocityY: Double(ecefVYCentimetersPerSecond) / 100,
      velocityZ: Double(ecefVZCentimetersPerSecond) / 100)
  }
}
