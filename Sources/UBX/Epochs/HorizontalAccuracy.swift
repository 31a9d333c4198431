/// The horizontal accuracy of a position, and its origin.
public struct HorizontalAccuracy: Equatable, Sendable {
  /// The origin of a horizontal accuracy.
  public enum Origin: UInt8, Codable, Sendable {
    /// The receiver's own estimate: hAcc, pAcc, the deviations in NMEA's GST, or the accuracy in PUBX,00.
    case receiver = 0
    /// NMEA without an estimate, but with a dilution of precision: the dilution times `rangeErrorMillimeters`.
    case dilution = 1
    /// NMEA without an estimate and without a dilution: `dilutionAssumed` times `rangeErrorMillimeters`.
    case assumed = 2
  }

  public let millimeters: Int64
  public let origin: Origin

  /// The user equivalent range error (UERE): a conservative value for receivers with a single frequency.
  public static let rangeErrorMillimeters: Int64 = 5_000
  /// The dilution that is assumed for receivers that send none.
  ///
  /// Receivers report positions as valid up to about this dilution.
  static let dilutionAssumed: Int64 = 10
}

extension NavigationSolution {
  /// The horizontal accuracy as received, or an estimate from NMEA sentences; nil: unknown.
  public var horizontalAccuracy: HorizontalAccuracy? {
    if let accuracy = horizontalAccuracyMillimeters {
      guard accuracy > 0, accuracy != .max else { return nil }
      return HorizontalAccuracy(millimeters: Int64(accuracy), origin: .receiver)
    }
    if let accuracy = accuracyByDilutionMillimeters {
      return HorizontalAccuracy(millimeters: accuracy, origin: .dilution)
    }
    guard source == .nmea, !isDilutionSaid else { return nil }
    return HorizontalAccuracy(
      millimeters: HorizontalAccuracy.dilutionAssumed * HorizontalAccuracy.rangeErrorMillimeters,
      origin: .assumed)
  }

  /// The accuracy of NMEA sentences with a dilution; nil for all other sources.
  ///
  /// GGA alone has only the horizontal dilution, which is more than half of the position dilution under any open sky.
  public var accuracyByDilutionMillimeters: Int64? {
    guard source == .nmea,
      let dilution = positionDOPE2.map({ Int64($0) }) ?? horizontalDOPE2.map({ 2 * Int64($0) }),
      (1..<9_999).contains(dilution)
    else { return nil }
    return dilution * HorizontalAccuracy.rangeErrorMillimeters / 100
  }
}
