public import BinnacleBasics

/// A position on the ellipsoid, with the motion at that instant.
public struct Motion: Equatable, Sendable {
  /// Degrees on WGS 84.
  public var latitude: Double
  public var longitude: Double
  /// Meters above the ellipsoid.
  public var height: Double
  /// Meters per second over ground.
  public var speed: Double
  /// Meters per second downwards.
  public var down: Double
  /// Degrees from true north, 0 up to 360; at rest, the direction of the last movement.
  public var course: Double
}

/// One section of a path.
public struct Leg: Equatable, Sendable {
  public var seconds: Int
  /// Meters per second at the end of the leg; the speed changes evenly.
  public var endSpeed: Double
  /// The turn to the right during the leg in degrees; the rate is constant.
  public var turn: Double
  /// Meters per second upwards.
  public var climb: Double
  /// The shaking of the body during the leg.
  public var shaking: Shaking
  /// The tilt to the left at the end of the leg in degrees; the tilt changes evenly.
  public var tilt: Double

  public init(
    seconds: Int, endSpeed: Double, turn: Double = 0, climb: Double = 0,
    shaking: Shaking = .nothing, tilt: Double = 0
  ) {
    self.seconds = seconds
    self.endSpeed = endSpeed
    self.turn = turn
    self.climb = climb
    self.shaking = shaking
    self.tilt = tilt
  }
}

/// A body that carries the receiver along a path, again and again.
///
/// The path is computed once in steps of a tenth of a second. The body keeps the points of whole seconds and
/// interpolates positions between them.
public struct Body: Equatable, Sendable {
  let points: [Motion]
  /// The acceleration, tilt and shaking in each second.
  let course: [BodySecond]
  public let path: Path

  public init(path: Path, latitude: Double = 47.2854, longitude: Double = 8.5653) {
    self.path = path
    points = Body.points(
      along: path.legs, from: latitude, longitude, height: path.startHeight)
    course = BodySecond.seconds(of: path.legs)
  }

  /// The body's position and motion at a time after the body's start.
  public func motion(after elapsed: Interval) -> Motion {
    let period = Int64(points.count - 1)
    let nanoseconds = max(0, elapsed.nanoseconds)
    let second = Int((nanoseconds / 1_000_000_000) % period)
    let fraction = Double(nanoseconds % 1_000_000_000) / 1e9
    let from = points[second]
    let to = points[second + 1]
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
    var turn = to.course - from.course
    if turn > 180 { turn -= 360 }
    if turn < -180 { turn += 360 }
    var course = from.course + turn * fraction
    if course < 0 { course += 360 }
    if course >= 360 { course -= 360 }
    return Motion(
      latitude: between(from.latitude, to.latitude),
      longitude: between(from.longitude, to.longitude), height: between(from.height, to.height),
      speed: between(from.speed, to.speed), down: between(from.down, to.down), course: course)
  }

  private static func points(
    along legs: [Leg], from latitude: Double, _ longitude: Double, height: Double
  ) -> [Motion] {
    let stepsPerSecond = 10
    var now = Motion(
      latitude: latitude, longitude: longitude, height: height, speed: 0, down: 0, course: 40)
    var points = [now]
    for leg in legs {
      let steps = leg.seconds * stepsPerSecond
      let acceleration = (leg.endSpeed - now.speed) / Double(steps)
      now.down = -leg.climb
      for step in 1...steps {
        now.speed += acceleration
        now.course += leg.turn / Double(steps)
        if now.course >= 360 { now.course -= 360 }
        now = Ellipsoid.moved(now, seconds: 1 / Double(stepsPerSecond))
        if step % stepsPerSecond == 0 { points.append(now) }
      }
    }
    return points
  }
}

/// The WGS 84 ellipsoid for steps of a few meters.
enum Ellipsoid {
  static let equatorialRadius = 6_378_137.0
  static let eccentricitySquared = 6.694_379_990_141_316_6e-3
  static let degreesPerRadian = 57.295_779_513_082_32

  /// The position after a short time of constant motion.
  static func moved(_ motion: Motion, seconds: Double) -> Motion {
    let course = motion.course / degreesPerRadian
    var moved = shifted(
      motion, north: motion.speed * cosine(course) * seconds,
      east: motion.speed * sine(course) * seconds)
    moved.height -= motion.down * seconds
    return moved
  }

  /// The position so many meters to the north and east.
  static func shifted(_ motion: Motion, north: Double, east: Double) -> Motion {
    let radii = radii(at: motion.latitude)
    var shifted = motion
    shifted.latitude += north / (radii.meridian + motion.height) * degreesPerRadian
    shifted.longitude +=
      east / ((radii.normal + motion.height) * radii.cosine) * degreesPerRadian
    if shifted.longitude >= 180 { shifted.longitude -= 360 }
    if shifted.longitude < -180 { shifted.longitude += 360 }
    return shifted
  }

  /// The distance in meters between two close positions.
  static func distance(
    from: (latitude: Double, longitude: Double), to: (latitude: Double, longitude: Double)
  ) -> Double {
    let radii = radii(at: from.latitude)
    var turn = to.longitude - from.longitude
    if turn > 180 { turn -= 360 }
    if turn < -180 { turn += 360 }
    let north = (to.latitude - from.latitude) / degreesPerRadian * radii.meridian
    let east = turn / degreesPerRadian * radii.normal * radii.cosine
    return (north * north + east * east).squareRoot()
  }

  /// Meters from the earth's center: x towards the first meridian, z towards the north pole.
  static func earthCentered(
    latitude: Double, longitude: Double, height: Double
  ) -> (x: Double, y: Double, z: Double) {
    let normal = radii(at: latitude).normal
    let across = (normal + height) * BinnacleBasics.cosine(degrees: latitude)
    return (
      across * BinnacleBasics.cosine(degrees: longitude),
      across * BinnacleBasics.sine(degrees: longitude),
      (normal * (1 - eccentricitySquared) + height) * BinnacleBasics.sine(degrees: latitude)
    )
  }

  /// A velocity at a position, turned from north, east and down to the earth-centered axes.
  static func earthCentered(
    north: Double, east: Double, down: Double, latitude: Double, longitude: Double
  ) -> (x: Double, y: Double, z: Double) {
    let (sine, cosine) = (
      BinnacleBasics.sine(degrees: latitude), BinnacleBasics.cosine(degrees: latitude)
    )
    let (sineOfLongitude, cosineOfLongitude) = (
      BinnacleBasics.sine(degrees: longitude), BinnacleBasics.cosine(degrees: longitude)
    )
    let outward = -sine * north - cosine * down
    return (
      outward * cosineOfLongitude - east * sineOfLongitude,
      outward * sineOfLongitude + east * cosineOfLongitude, cosine * north - sine * down
    )
  }

  private static func radii(
    at latitude: Double
  ) -> (meridian: Double, normal: Double, cosine: Double) {
    let sine = BinnacleBasics.sine(degrees: latitude)
    let w = (1 - eccentricitySquared * sine * sine).squareRoot()
    let normal = equatorialRadius / w
    let meridian = normal * (1 - eccentricitySquared) / (w * w)
    return (meridian, normal, (1 - sine * sine).squareRoot())
  }
}
