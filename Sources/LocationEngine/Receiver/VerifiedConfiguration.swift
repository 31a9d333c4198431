/// What a receiver was told and has shown to have taken: it acknowledged the order and reads back as ordered.
struct VerifiedConfiguration: Equatable, Codable, Sendable {
  /// nil: it has not shown that it took any rate.
  var rateHz: Int?
  /// nil: it has not shown that it took any model.
  var model: DynamicModel?
  /// What it took to say its positions in; nil: nothing.
  var carrier: PositionMessage?

  /// In one line for a person.
  var inWords: String {
    let rate = rateHz.map { "\($0) Hz" } ?? "rate unknown"
    return rate + ", " + (model?.name ?? "model unknown")
  }
}
