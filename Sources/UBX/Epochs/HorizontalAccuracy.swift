/// How far a position may be wrong, and what that rests on.
public struct HorizontalAccuracy: Equatable, Sendable {
  /// The origin of a horizontal accuracy.
  public enum Origin: UInt8, Codable, Sendable {
    /// The receiver's own estimate: hAcc, pAcc, the deviations of NMEA's GST, PUBX,00.
    case receiver = 0
    /// NMEA without an estimate: the dilution of precision times `rangeErrorMillimeters`.
    case dilution = 1
    /// NMEA with neither: `dilutionAssumed` times `rangeErrorMillimeters`.
    case assumed = 2
  }

  public let millimeters: Int64
  public let origin: Origin

  /// The user equivalent range error (UERE): a conservative error of the ranges of a receiver with one frequency.
  public static let rangeErrorMillimeters: Int64 = 5_000
  /// The dilution that receivers which say none are taken to have: they call positions up to about that one valid.
  static let dilutionAssumed: Int64 = 10
}

extension NavigationSolution {
  /// The horizontal accuracy as it was sent, or what NMEA sentences allow to estimate; nil: unknown.
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

  /// The accuracy of sentences that say a dilution; nil for all other sources.
  ///
  /// GGA alone has only the horizontal part, which is more than half of the whole under any open sky.
  public var accuracyByDilutionMillimeters: Int64? {
    guard source == .nmea,
      let dilution = positionDOPE2.map({ Int64($0) }) ?? horizontalDOPE2.map({ 2 * Int64($0) }),
      (1..<9_999).contains(dilution)
    else { return nil }
    return dilution * HorizontalAccuracy.rangeErrorMillimeters / 100
  }
}
