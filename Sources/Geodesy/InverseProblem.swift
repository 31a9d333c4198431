import BinnacleBasics

/// The inverse problem: from two points to the distance and both azimuths.
///
/// By symmetry every pair is one with β1 <= 0, β1 <= β2 <= -β1 and 0 <= λ12 <= π: the first point is the
/// one farther from the equator, on the southern half, and the path goes east. The solution is then
/// mirrored back.
struct InverseProblem {
  private let beta1: Direction
  private let beta2: Direction
  /// The difference of longitude λ12, 0 to 180 degrees.
  private let lambda12: Direction
  private let lambda12Radians: Double

  static func path(from start: GeographicPoint, to end: GeographicPoint) -> Geodesic.Path {
    var (latitude1, latitude2) = (start.latitude, end.latitude)
    var east = longitudeDifference(from: start.longitude, to: end.longitude)
    let isSwapped = latitude1.magnitude < latitude2.magnitude
    if isSwapped {
      swap(&latitude1, &latitude2)
      east = -east
    }
    let isWestward = east.sign == .minus && east != 0
    let isMirrored = latitude1 >= 0
    if isMirrored { (latitude1, latitude2) = (-latitude1, -latitude2) }

    let problem = InverseProblem(
      latitude1: latitude1, latitude2: latitude2, longitudeDifference: east.magnitude)
    let solution = problem.solution()
    // A reversed path has both components of its azimuths reversed.
    let reverse = isSwapped ? -1.0 : 1.0
    let eastSign = reverse * (isWestward ? -1 : 1)
    let northSign = reverse * (isMirrored ? -1 : 1)
    func mirrored(_ alpha: Direction) -> Double {
      arcTangent2Degrees(
        alpha.sine == 0 ? 0 : eastSign * alpha.sine, northSign * alpha.cosine)
    }
    return Geodesic.Path(
      distanceMeters: solution.distanceMeters,
      startAzimuth: mirrored(isSwapped ? solution.alpha2 : solution.alpha1),
      endAzimuth: mirrored(isSwapped ? solution.alpha1 : solution.alpha2))
  }

  private struct Solution {
    var distanceMeters: Double
    var alpha1: Direction
    var alpha2: Direction
  }

  private init(latitude1: Double, latitude2: Double, longitudeDifference: Double) {
    beta1 = Ellipsoid.reducedLatitude(degrees: latitude1)
    // Latitudes that are equal stay so, to the last bit, after the change to reduced latitude.
    beta2 = Ellipsoid.reducedLatitude(degrees: latitude2)
    lambda12 = Direction(degrees: longitudeDifference)
    lambda12Radians = longitudeDifference * (.pi / 180)
  }

  /// The difference of two longitudes in degrees, -180 to 180.
  private static func longitudeDifference(from start: Double, to end: Double) -> Double {
    let difference = end.remainder(dividingBy: 360) - start.remainder(dividingBy: 360)
    return difference.remainder(dividingBy: 360)
  }

  private func solution() -> Solution {
    if lambda12.sine == 0 || beta1.cosine < 0x1p-510 { return alongMeridian() }
    if beta1.sine == 0, lambda12Radians <= (1 - Ellipsoid.flattening) * .pi {
      let east = Direction(sine: 1, cosine: 0)
      return Solution(
        distanceMeters: Ellipsoid.equatorialRadiusMeters * lambda12Radians, alpha1: east,
        alpha2: east)
    }
    return shortLine() ?? solvedByNewton()
  }

  /// Both points on one meridian, or the first on the pole, where the longitude is an azimuth.
  private func alongMeridian() -> Solution {
    let alpha1 = lambda12
    let sigma1 = Direction(alongSine: beta1.sine, cosine: alpha1.cosine * beta1.cosine)
    let sigma2 = beta2
    let series = GeodesicSeries(kSquared: Ellipsoid.secondEccentricitySquared)
    let sigma12 = sigma2.angle(from: sigma1)
    // The path never leads the long way round; half a turn may come out as a negative one.
    let arc = max(sigma12, sigma12 < -1 ? sigma12 + 2 * .pi : 0)
    let terms = series.distanceTerms.difference(from: sigma1, to: sigma2)
    let distance = Ellipsoid.polarRadiusMeters * series.distanceScale * (arc + terms)
    return Solution(
      distanceMeters: arc == 0 ? 0 : distance, alpha1: alpha1,
      alpha2: Direction(sine: 0, cosine: 1))
  }

  /// Points a few decimeters apart, where the sphere of the mean latitude is exact enough (section 4).
  private func shortLine() -> Solution? {
    let guess = sphericalGuess(omega12: Direction(radians: lambda12Radians / meanScale))
    guard guess.sigma12Cosine > 0, guess.sigma12Sine < 3e-8 else { return nil }
    let distance = Ellipsoid.equatorialRadiusMeters * meanScale * guess.sigma12Sine
    return Solution(distanceMeters: distance, alpha1: guess.alpha1, alpha2: guess.alpha2)
  }

  /// w = √(1 - e² cos² β) at the mean of the latitudes (equation 48).
  private var meanScale: Double {
    let mean = (beta1.cosine + beta2.cosine) / 2
    return (1 - Ellipsoid.eccentricitySquared * mean * mean).squareRoot()
  }

  private struct SphericalGuess {
    var alpha1: Direction
    var alpha2: Direction
    var sigma12Sine: Double
    var sigma12Cosine: Double
  }

  /// The great circle between the reduced latitudes for a difference of spherical longitude (equation 49).
  private func sphericalGuess(omega12: Direction) -> SphericalGuess {
    // cos ω as 1 - (1 - cos ω), so that nearby points keep their digits.
    let versine =
      omega12.cosine > 0
      ? omega12.sine * omega12.sine / (1 + omega12.cosine) : 1 - omega12.cosine
    let north = beta2.sine * beta1.cosine - beta2.cosine * beta1.sine
    let z1 = Direction(
      sine: beta2.cosine * omega12.sine,
      cosine: north + beta2.cosine * beta1.sine * versine)
    let z2 = Direction(
      sine: beta1.cosine * omega12.sine,
      cosine: north - beta1.cosine * beta2.sine * versine)
    return SphericalGuess(
      alpha1: Direction(alongSine: z1.sine, cosine: z1.cosine),
      alpha2: Direction(alongSine: z2.sine, cosine: z2.cosine),
      sigma12Sine: hypotenuse(z1.sine, z1.cosine),
      sigma12Cosine: beta1.sine * beta2.sine + beta1.cosine * beta2.cosine * omega12.cosine)
  }

  /// Where Newton's method starts: the sphere's answer, or near the antipode that of the astroid problem.
  private func startingAzimuth() -> Direction {
    let guess = sphericalGuess(omega12: Direction(radians: lambda12Radians / meanScale))
    let limit = 6 * Ellipsoid.thirdFlattening * .pi * beta1.cosine * beta1.cosine
    if lambda12Radians / meanScale < .pi, guess.sigma12Cosine >= 0 || guess.sigma12Sine >= limit {
      return guess.alpha1
    }
    // Section 5: the antipode is the origin, and the envelope of the geodesics there an astroid of unit
    // size (equations 53 to 57).
    let k2 = Ellipsoid.secondEccentricitySquared * beta1.sine * beta1.sine
    let longitudeUnit =
      Ellipsoid.flattening * .pi * beta1.cosine * GeodesicSeries(kSquared: k2).longitudeScale
    let latitudeUnit = longitudeUnit * beta1.cosine
    let x = (lambda12Radians - .pi) / longitudeUnit
    let northOfAntipode = beta2.sine * beta1.cosine + beta2.cosine * beta1.sine
    let y = northOfAntipode / latitudeUnit
    if y.magnitude < 1e-14 && x > -1 {
      return Direction(sine: -x, cosine: -(max(0, 1 - x * x)).squareRoot())
    }
    let mu = InverseProblem.astroidRoot(x: x, y: y)
    let shortOfHalfTurn = -x * mu / (1 + mu) * longitudeUnit
    return sphericalGuess(omega12: Direction(radians: .pi - shortOfHalfTurn)).alpha1
  }

  /// The positive root μ of x² / (1 + μ)² + y² / μ² = 1 (equation 55 in another form).
  ///
  /// The left side falls and is convex, so Newton's method from below climbs to the root without overshoot.
  private static func astroidRoot(x: Double, y: Double) -> Double {
    var mu = max(y.magnitude, x.magnitude - 1, 1e-9)
    for _ in 0..<12 {
      let first = x / (1 + mu)
      let second = y / mu
      let excess = first * first + second * second - 1
      guard excess > 1e-12 else { break }
      let slope = first * first / (1 + mu) + second * second / mu
      mu += excess / (2 * slope)
    }
    return mu
  }

  /// Everything that follows from a starting azimuth, and how far its longitude misses the goal.
  private struct Trial {
    var alpha1: Direction
    var alpha2: Direction
    var sigma1: Direction
    var sigma2: Direction
    var sigma12: Double
    var series: GeodesicSeries
    /// λ12(α1) - λ12.
    var miss: Double
  }

  private func trial(_ alpha1: Direction) -> Trial {
    let alpha0 = GreatCircle.azimuthAtEquator(azimuth: alpha1, latitude: beta1)
    let alpha2 = azimuthAtSecondPoint(alpha1, alpha0: alpha0)
    let sigma1 = GreatCircle.arc(azimuth: alpha1, latitude: beta1)
    let sigma2 = GreatCircle.arc(azimuth: alpha2, latitude: beta2)
    var sigma12 = sigma2.angle(from: sigma1)
    // An arc of half a turn may come out as a negative one.
    if sigma12 < 0 { sigma12 = sigma12 < -1 ? sigma12 + 2 * .pi : 0 }
    let omega1 = GreatCircle.longitude(arc: sigma1, azimuthAtEquator: alpha0)
    let omega2 = GreatCircle.longitude(arc: sigma2, azimuthAtEquator: alpha0)
    let omega12 = Direction(
      sine: max(0, omega2.sine * omega1.cosine - omega2.cosine * omega1.sine),
      cosine: omega2.cosine * omega1.cosine + omega2.sine * omega1.sine)
    let series = GeodesicSeries(
      kSquared: Ellipsoid.secondEccentricitySquared * alpha0.cosine * alpha0.cosine)
    let terms = series.longitudeTerms.difference(from: sigma1, to: sigma2)
    let shift =
      Ellipsoid.flattening * alpha0.sine * series.longitudeScale * (sigma12 + terms)
    return Trial(
      alpha1: alpha1, alpha2: alpha2, sigma1: sigma1, sigma2: sigma2, sigma12: sigma12,
      series: series, miss: omega12.angle(from: lambda12) - shift)
  }

  /// The azimuth α2 on the same great circle, always northward (equations 5 and 45).
  private func azimuthAtSecondPoint(_ alpha1: Direction, alpha0: Direction) -> Direction {
    let sine = beta2.cosine != beta1.cosine ? alpha0.sine / beta2.cosine : alpha1.sine
    guard beta2.cosine != beta1.cosine || beta2.sine.magnitude != -beta1.sine else {
      return Direction(sine: sine, cosine: alpha1.cosine.magnitude)
    }
    let difference =
      beta1.cosine < -beta1.sine
      ? (beta2.cosine - beta1.cosine) * (beta1.cosine + beta2.cosine)
      : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
    let north = alpha1.cosine * beta1.cosine
    return Direction(
      sine: sine, cosine: max(0, north * north + difference).squareRoot() / beta2.cosine)
  }

  /// dλ12/dα1 (equation 46, with the reduced length of equation 38).
  private func slope(of trial: Trial) -> Double {
    if trial.alpha2.cosine == 0 {
      return -2 * (1 - Ellipsoid.eccentricitySquared * beta1.cosine * beta1.cosine).squareRoot()
        / beta1.sine
    }
    let series = trial.series
    let first =
      series.distanceScale
      * (trial.sigma12 + series.distanceTerms.difference(from: trial.sigma1, to: trial.sigma2))
    let second =
      series.secondScale
      * (trial.sigma12 + series.secondTerms.difference(from: trial.sigma1, to: trial.sigma2))
    let (sigma1, sigma2) = (trial.sigma1, trial.sigma2)
    let e2 = Ellipsoid.secondEccentricitySquared
    let scale1 = (1 + e2 * beta1.sine * beta1.sine).squareRoot()
    let scale2 = (1 + e2 * beta2.sine * beta2.sine).squareRoot()
    let reducedLength =
      scale2 * sigma1.cosine * sigma2.sine - scale1 * sigma1.sine * sigma2.cosine
      - sigma1.cosine * sigma2.cosine * (first - second)
    return reducedLength * (1 - Ellipsoid.flattening) / (trial.alpha2.cosine * beta2.cosine)
  }

  /// Newton's method for α1; a step out of the bracket is replaced by bisection.
  private func solvedByNewton() -> Solution {
    var west = Direction(sine: 0x1p-511, cosine: 1)
    var east = Direction(sine: 0x1p-511, cosine: -1)
    var current = trial(startingAzimuth())
    var lastMiss = Double.infinity
    // Bisection alone would need some 60 steps; Newton's method takes three or four.
    for step in 0..<100 {
      let miss = current.miss.magnitude
      if miss <= 3e-16 || (miss < 1e-13 && miss >= lastMiss) { break }
      lastMiss = miss
      if current.miss > 0 { east = current.alpha1 } else { west = current.alpha1 }
      var next: Direction?
      if step < 20 {
        let turn = -current.miss / slope(of: current)
        if turn.magnitude < .pi {
          let turned = current.alpha1.turned(by: Direction(radians: turn))
          if turned.sine > 0 {
            next = Direction(alongSine: turned.sine, cosine: turned.cosine)
          }
        }
      }
      let middle = Direction(
        alongSine: west.sine + east.sine, cosine: west.cosine + east.cosine)
      current = trial(next ?? middle)
    }
    let terms = current.series.distanceTerms.difference(
      from: current.sigma1, to: current.sigma2)
    let distance =
      Ellipsoid.polarRadiusMeters * current.series.distanceScale * (current.sigma12 + terms)
    return Solution(
      distanceMeters: distance, alpha1: current.alpha1, alpha2: current.alpha2)
  }
}
