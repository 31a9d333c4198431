/// A time in which the board stayed at one place.
struct TrackPause: Equatable, Sendable {
  var place: PlanePoint
  /// Milliseconds since 1970.
  var from: Int64
  var to: Int64

  var seconds: Double { Double(to - from) / 1_000 }

  /// A shorter stay is no pause.
  static let millisecondsMin: Int64 = 60_000
}

/// An interruption of a track between two places.
struct TrackGap: Equatable, Sendable {
  var from: PlanePoint
  var to: PlanePoint
  var seconds: Double
}
