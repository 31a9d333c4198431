public import BinnacleBasics

/// A second of a body's way as it is felt on board, without what shakes it.
struct BodySecond: Equatable, Sendable {
  static let gravity = 9.806_65
  /// In g, at the second's end: forward, to the left, up.
  var forward: Double
  var left: Double
  var up: Double
  /// Degrees to the left that it leans at the second's end.
  var tilt: Double
  var shaking: Shaking
  /// Whether it is left alone and stays where it is.
  var isAtRest: Bool

  /// Lying flat.
  static let rest = BodySecond(
    forward: 0, left: 0, up: 0, tilt: 0, shaking: .nothing, isAtRest: true)

  /// The seconds of a path: what its changes of speed and direction ask for.
  static func seconds(of legs: [Leg]) -> [BodySecond] {
    var seconds: [BodySecond] = []
    var speed = 0.0
    var climb = 0.0
    var tilt = 0.0
    for leg in legs {
      let change = (leg.endSpeed - speed) / Double(leg.seconds)
      let turn = leg.turn / Double(leg.seconds) / Ellipsoid.degreesPerRadian
      let lean = (leg.tilt - tilt) / Double(leg.seconds)
      for _ in 0..<leg.seconds {
        let isMoving = speed > 0 || change > 0 || leg.climb != 0
        speed += change
        tilt += lean
        seconds.append(
          BodySecond(
            forward: change / gravity, left: -speed * turn / gravity,
            up: (leg.climb - climb) / gravity, tilt: tilt, shaking: leg.shaking,
            isAtRest: !isMoving && !leg.shaking.meansHandled))
        climb = leg.climb
      }
      // Sums of tenths are not exact, and rest is rest.
      speed = leg.endSpeed
    }
    return seconds
  }
}

extension Body {
  /// Whether nobody moves it and it stays where it is, so long after its start.
  public func isAtRest(after elapsed: Interval) -> Bool {
    guard elapsed > .zero else { return course[0].isAtRest }
    return course[second(after: elapsed)].isAtRest
  }

  func second(after elapsed: Interval) -> Int {
    Int(max(0, elapsed.nanoseconds) / 1_000_000_000 % Int64(course.count))
  }
}
