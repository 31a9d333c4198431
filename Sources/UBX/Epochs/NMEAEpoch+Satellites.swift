import BinnacleModel

/// The satellites in the sentences of an epoch.
extension NMEAEpoch {
  /// The sky from all sentences of the epoch; nil if no GSV arrived, or if satellites are not collected.
  var sky: Sky? {
    guard let list, list.isWhole, !list.isEmpty else { return nil }
    let solution = joined
    return Sky(
      time: solution.utc,
      horizontalDilution: dilutionFactor(hundredths: solution.horizontalDOPE2),
      verticalDilution: dilutionFactor(hundredths: solution.verticalDOPE2),
      positionDilution: dilutionFactor(hundredths: solution.positionDOPE2),
      satellites: list.satellites)
  }

  func accuracy(_ fields: inout NMEAFields) -> UInt32? {
    fields.decimal()?.scaled(to: 3).flatMap { UInt32(exactly: $0) }
  }

  func dilution(_ written: NMEAFields.Decimal) -> UInt16? {
    written.scaled(to: 2).flatMap { UInt16(exactly: $0) }.flatMap(knownDOP)
  }

  /// A knot is 1,852 meters per hour.
  func fromMicroknots(_ speed: Int64) -> Int32? {
    guard speed.magnitude < 1_000_000_000_000 else { return nil }
    return Int32(exactly: (speed * 1_852 + 1_800_000) / 3_600_000)
  }
}
