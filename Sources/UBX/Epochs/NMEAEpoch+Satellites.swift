import BinnacleModel

/// The satellites that the sentences of an epoch list.
extension NMEAEpoch {
  /// The sky that the sentences say together; nil when no GSV has come, or none are collected.
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
