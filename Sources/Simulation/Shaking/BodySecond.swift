public import BinnacleBasics

/// A second of a body's motion as a chip on board measures it, without the shaking.
struct BodySecond: Equatable, Sendable {
  static let gravity = 9.806_65
  /// In g, at the end of the second: forward, to the left, up.
  var forward: Double
  var left: Double
  var up: Double
  /// The tilt to the left at the end of the second, in degrees.
  var tilt: Double
  var shaking: Shaking
  /// Whether the body is at rest and no person moves it.
  var isAtRest: Bool

  /// At rest, lying flat.
  static let rest = BodySecond(
    forward: 0, left: 0, up: 0, tilt: 0, shaking: .nothing, isAtRest: true)

  /// The seconds of a path: the accelerations that follow from its changes of speed and direction.
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
      // Sums of tenths are not exact, and a rest needs a speed of exactly zero.
      speed = leg.endSpeed
    }
    return seconds
  }
}

extension Body {
  /// Whether the body is at rest and no person moves it, at a time after its start.
  public func isAtRest(after elapsed: Interval) -> Bool {
    guard elapsed > .zero else { return course[0].isAtRest }
    return course[second(after: elapsed)].isAtRest
  }

  func second(after elapsed: Interval) -> Int {
    Int(max(0, elapsed.nanoseconds) / 1_000_000_000 % Int64(course.count))
  }
}
