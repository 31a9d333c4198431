import BinnacleModel

extension DoorKind {
  /// The sections of all doors, as a list of sections shows them.
  static var sections: String { allCases.map { "[\($0.section)]" }.joined(separator: " ") }
}
