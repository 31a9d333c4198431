import BinnacleBasics

/// Position and velocity in earth-centered coordinates, with their conversion to WGS 84.
struct EarthCenteredState {
  /// Meters.
  var x: Double
  var y: Double
  var z: Double
  /// Meters per second.
  var velocityX: Double
  var velocityY: Double
  var velocityZ: Double

  private enum WGS84 {
    static let majorAxis = 6_378_137.0
    static let flattening = 1 / 298.257223563
    static let minorAxis = majorAxis * (1 - flattening)
    static let eccentricitySquared = flattening * (2 - flattening)
    static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
  }

  /// Sine and cosine of an angle, without the angle.
  private struct Direction {
    let sine: Double
    let cosine: Double

    init(_ y: Double, _ x: Double) {
      let length = (x * x + y * y).squareRoot()
      sine = length > 0 ? y / length : 0
      cosine = length > 0 ? x / length : 1
    }
  }

  /// The plausible distances from the center of the Earth, in meters.
  ///
  /// The poles are 6,357 km from the center. A height in millimeters has 32 bits, which is 2,147 km.
  private static let radii = 6_350_000.0...8_500_000.0

  /// Whether the position is far from the surface of the Earth: a receiver without a position sends such coordinates.
  var isNowhere: Bool {
    !EarthCenteredState.radii.contains((x * x + y * y + z * z).squareRoot())
  }

  private var distanceFromAxis: Double { (x * x + y * y).squareRoot() }

  private var longitude: Direction { Direction(y, x) }

  /// Bowring's iteration on the parametric latitude.
  ///
  /// After two steps the error is far below a millimeter from the ground up to the satellites.
  private var latitude: Direction {
    let p = distanceFromAxis
    var reduced = Direction(z * WGS84.majorAxis, p * WGS84.minorAxis)
    var geodetic = reduced
    for _ in 0..<3 {
      let sine = reduced.sine
      let cosine = reduced.cosine
      geodetic = Direction(
        z + WGS84.secondEccentricitySquared * WGS84.minorAxis * sine * sine * sine,
        p - WGS84.eccentricitySquared * WGS84.majorAxis * cosine * cosine * cosine)
      reduced = Direction((1 - WGS84.flattening) * geodetic.sine, geodetic.cosine)
    }
    return geodetic
  }

  /// Latitude and longitude with the height above the ellipsoid; nil far from the surface of the Earth.
  var position: NavigationSolution.Position? {
    guard !isNowhere else { return nil }
    let north = latitude
    let sineSquared = north.sine * north.sine
    let height =
      distanceFromAxis * north.cosine + z * north.sine
      - WGS84.majorAxis * (1 - WGS84.eccentricitySquared * sineSquared).squareRoot()
    return NavigationSolution.Position(
      latitudeE7: rounded(arcTangent2Degrees(north.sine, north.cosine) * 1e7),
      longitudeE7: rounded(arcTangent2Degrees(y, x) * 1e7),
      heightMillimeters: Int32(exactly: (height * 1e3).rounded()), heightMSLMillimeters: nil)
  }

  /// The velocity at the position; nil far from the surface of the Earth.
  var motion: Motion? {
    guard !isNowhere else { return nil }
    let north = latitude
    let east = longitude
    let outward = east.cosine * velocityX + east.sine * velocityY
    return Motion(
      north: (north.cosine * velocityZ - north.sine * outward) * 1e3,
      east: (east.cosine * velocityY - east.sine * velocityX) * 1e3,
      down: -(north.cosine * outward + north.sine * velocityZ) * 1e3)
  }

  /// A velocity in millimeters per second.
  struct Motion {
    let north: Double
    let east: Double
    let down: Double

    var velocity: NavigationSolution.Velocity {
      NavigationSolution.Velocity(north: rounded(north), east: rounded(east), down: rounded(down))
    }

    var groundSpeed: Int32 { rounded((north * north + east * east).squareRoot()) }

    /// Direction over ground in 1e-5 degrees, 0 to 360; nil without motion.
    var headingE5: Int32? {
      guard north != 0 || east != 0 else { return nil }
      let degrees = arcTangent2Degrees(east, north)
      return rounded((degrees < 0 ? degrees + 360 : degrees) * 1e5)
    }
  }
}

private func rounded(_ number: Double) -> Int32 {
  Int32(max(-2_147_483_647, min(2_147_483_647, number.rounded())))
}
