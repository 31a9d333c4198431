/// Whether the indicator shows the use of locations in the background.
enum IndicatorState: Equatable, Codable, Sendable {
  /// No app in the background may receive locations.
  case dark
  /// The lamp is ordered to be lit, and was not read back yet.
  case asserting
  /// The lamp is lit and was read back.
  case lit
  /// The lamp cannot be lit, for this reason.
  case failed(String)

  /// The reason why the lamp cannot be lit.
  var failure: String? {
    if case .failed(let reason) = self { reason } else { nil }
  }
}
