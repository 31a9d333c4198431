/// The configuration that a receiver has acknowledged and that reads back as ordered.
struct VerifiedConfiguration: Equatable, Codable, Sendable {
  /// nil: the receiver has confirmed no rate.
  var rateHz: Int?
  /// nil: the receiver has confirmed no model.
  var model: DynamicModel?
  /// The position message that the receiver has confirmed; nil: none.
  var carrier: PositionMessage?

  /// The configuration in one line for a person.
  var inWords: String {
    let rate = rateHz.map { "\($0) Hz" } ?? "rate unknown"
    return rate + ", " + (model?.name ?? "model unknown")
  }
}
