public import BinnacleBasics
public import BinnacleModel

/// The content of NMEA 0183 sentences for one time: the position, or the absence of a position.
///
/// Field order and meaning: NMEA 0183 version 4.10, section 6.3; the same in the u-blox M8 protocol description
/// (UBX-13003221), section 31.2. An unknown value is an empty field.
public struct SentenceEpoch: Equatable, Sendable {
  /// The time of the epoch; nil when it is unknown.
  public var time: UTCTime?
  /// The position; nil if unavailable.
  public var fix: Fix?
  /// The satellites and the dilutions near that time; nil if unknown.
  public var sky: Sky?
  /// Whether the satellites in view are listed: once for each sky that the receiver reports.
  public var listsSatellites: Bool
  /// Whether the position is the center of a cell of some kilometers.
  public var isReduced: Bool

  public init(
    time: UTCTime?, fix: Fix?, sky: Sky? = nil, listsSatellites: Bool = false,
    isReduced: Bool = false
  ) {
    self.time = time
    self.fix = fix
    self.sky = sky
    self.listsSatellites = listsSatellites
    self.isReduced = isReduced
  }

  /// All sentences of the epoch, ready to be sent: RMC, GGA, GSA, GSV, VTG, ZDA, GST.
  public var bytes: [UInt8] {
    let satellites = SentenceSatellites(sky)
    let sentences =
      [rmc, gga] + satellites.gsa(talker: talker, dimension: dimension)
      + (listsSatellites ? satellites.gsv : []) + [vtg, zda, gst]
    return sentences.flatMap(\.bytes)
  }

  /// `GN` when satellites of several constellations take part in the position, else the constellation's talker.
  private var talker: String {
    let talkers = Set((sky?.satellites ?? []).filter(\.isUsed).compactMap(\.constellation.talker))
    return talkers.count > 1 ? "GN" : talkers.first ?? "GP"
  }

  /// 1: no position; 2: no altitude; 3: a position with an altitude.
  private var dimension: Int {
    fix.map { $0.verticalAccuracy > 0 ? 3 : 2 } ?? 1
  }

  /// The range error that converts an accuracy into a dilution, in meters (as in `HorizontalAccuracy`).
  private static let rangeErrorMeters = 5.0
  /// The horizontal dilution of a position with reduced accuracy; GST has the accuracy in meters.
  private static let reducedDilution = 25.0
  /// The number of satellites of a position with reduced accuracy; the reader does not get the true number.
  private static let reducedSatelliteCount = 4
  /// A knot is 1852 m in an hour.
  private static let knotsPerMeterPerSecond = 3_600.0 / 1_852

  /// The mode indicator of RMC and VTG: simulator, autonomous, or none.
  private var mode: String {
    guard let fix else { return "N" }
    return fix.isSimulatedBySoftware ? "S" : "A"
  }

  /// gpsd 3.22 accepts a position as valid only with at least four satellites in this field.
  private var satelliteCount: String? {
    let count = fix.map { isReduced ? SentenceEpoch.reducedSatelliteCount : $0.satelliteCount }
    return (count ?? 0).map { DecimalText.padded($0, width: 2) }
  }

  /// The receiver's dilution; if the dilution is unknown, the horizontal accuracy divided by the range error.
  ///
  /// GeoClue 2.6 reads an empty field as 0, and then reports an accuracy of 0 m.
  private var horizontalDilution: String? {
    fix.map { fix in
      let dilution =
        isReduced
        ? SentenceEpoch.reducedDilution
        : sky?.horizontalDilution ?? fix.horizontalAccuracy / SentenceEpoch.rangeErrorMeters
      return DecimalText.fixed(dilution, places: 2)
    }
  }

  private var course: String? {
    fix.flatMap { $0.course < 0 ? nil : DecimalText.fixed($0.course, places: 2) }
  }

  /// The speed over ground times a factor.
  private func speed(_ factor: Double) -> String? {
    fix.flatMap { $0.speed < 0 ? nil : DecimalText.fixed($0.speed * factor, places: 3) }
  }

  /// Time, status, position, speed, course, date, magnetic variation, mode, navigational status (`V`: not provided).
  private var rmc: Sentence {
    var sentence = Sentence(talker, "RMC")
    sentence.add(SentenceFields.time(time))
    sentence.add(fix == nil ? "V" : "A")
    addPosition(to: &sentence)
    sentence.add(speed(SentenceEpoch.knotsPerMeterPerSecond), course, SentenceFields.date(time))
    sentence.add(nil, nil, mode, "V")
    return sentence
  }

  /// Time, position, quality, satellites, horizontal dilution, altitude, separation of the geoid, age and station of
  /// differential data.
  private var gga: Sentence {
    var sentence = Sentence(talker, "GGA")
    sentence.add(SentenceFields.time(time))
    addPosition(to: &sentence)
    sentence.add(fix.map { $0.isSimulatedBySoftware ? "8" : "1" } ?? "0")
    sentence.add(satelliteCount, horizontalDilution)
    if let fix, fix.verticalAccuracy > 0 {
      sentence.add(DecimalText.fixed(fix.altitude, places: 1), "M")
      sentence.add(DecimalText.fixed(fix.ellipsoidalAltitude - fix.altitude, places: 1), "M")
    } else {
      sentence.add(nil, "M", nil, "M")
    }
    sentence.add(nil, nil)
    return sentence
  }

  /// Course, true and magnetic, speed in knots and in km/h, mode.
  private var vtg: Sentence {
    var sentence = Sentence(talker, "VTG")
    sentence.add(course, "T", nil, "M")
    sentence.add(speed(SentenceEpoch.knotsPerMeterPerSecond), "N", speed(3.6), "K", mode)
    return sentence
  }

  /// Time, day, month, year, local zone.
  private var zda: Sentence {
    let (day, month, year) = SentenceFields.calendarDay(time)
    var sentence = Sentence(talker, "ZDA")
    sentence.add(SentenceFields.time(time), day, month, year, "00", "00")
    return sentence
  }

  /// Time, RMS of the ranges, error ellipse (3), standard deviations of latitude, longitude and altitude in meters.
  ///
  /// The receiver's horizontal accuracy is the root of the sum of both variances, which are assumed to be equal.
  private var gst: Sentence {
    var sentence = Sentence(talker, "GST")
    sentence.add(SentenceFields.time(time), nil, nil, nil, nil)
    guard let fix else {
      sentence.add(nil, nil, nil)
      return sentence
    }
    let side = DecimalText.fixed(fix.horizontalAccuracy / 2.0.squareRoot(), places: 2)
    sentence.add(side, side)
    sentence.add(
      fix.verticalAccuracy > 0 ? DecimalText.fixed(fix.verticalAccuracy, places: 2) : nil)
    return sentence
  }

  private func addPosition(to sentence: inout Sentence) {
    guard let fix else { return sentence.add(nil, nil, nil, nil) }
    let (latitude, northSouth) = SentenceFields.latitude(fix.latitude)
    let (longitude, eastWest) = SentenceFields.longitude(fix.longitude)
    sentence.add(latitude, northSouth, longitude, eastWest)
  }
}
