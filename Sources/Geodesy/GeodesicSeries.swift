/// The integrals along a geodesic as series in ε up to the sixth order.
///
/// Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013): I1 (distance) from equations 17 and
/// 18, its reverse from 21, I2 (for the reduced length) from 42 and 43, I3 (longitude) from 24 and 25.
/// For the Earth, what is left out is below a nanometer.
struct GeodesicSeries {
  /// ε = k² / (2 (1 + √(1 + k²)) + k²), the small number of all series (equation 16).
  private let epsilon: Double

  /// - Parameter kSquared: e'² cos² α0.
  init(kSquared: Double) {
    epsilon = kSquared / (2 * (1 + (1 + kSquared).squareRoot()) + kSquared)
  }

  private var square: Double { epsilon * epsilon }

  /// The mean scale A1 of the distance.
  var distanceScale: Double {
    (1 + square * (1.0 / 4 + square * (1.0 / 64 + square / 256))) / (1 - epsilon)
  }

  /// The periodic part C1 of the distance, to be scaled by A1.
  var distanceTerms: SineSeries {
    let e = epsilon
    let e2 = square
    return SineSeries(
      e * (-1.0 / 2 + e2 * (3.0 / 16 - e2 / 32)),
      e2 * (-1.0 / 16 + e2 * (1.0 / 32 - e2 * 9 / 2_048)),
      e2 * e * (-1.0 / 48 + e2 * 3 / 256),
      e2 * e2 * (-5.0 / 512 + e2 * 3 / 512),
      e2 * e2 * e * (-7.0 / 1_280),
      e2 * e2 * e2 * (-7.0 / 2_048))
  }

  /// The periodic part C1' that leads from distance back to arc length.
  var arcTerms: SineSeries {
    let e = epsilon
    let e2 = square
    return SineSeries(
      e * (1.0 / 2 + e2 * (-9.0 / 32 + e2 * 205 / 1_536)),
      e2 * (5.0 / 16 + e2 * (-37.0 / 96 + e2 * 1_335 / 4_096)),
      e2 * e * (29.0 / 96 - e2 * 75 / 128),
      e2 * e2 * (539.0 / 1_536 - e2 * 2_391 / 2_560),
      e2 * e2 * e * (3_467.0 / 7_680),
      e2 * e2 * e2 * (38_081.0 / 61_440))
  }

  /// The mean scale A2 of the second integral.
  var secondScale: Double {
    (1 + square * (1.0 / 4 + square * (9.0 / 64 + square * 25 / 256))) * (1 - epsilon)
  }

  /// The periodic part C2 of the second integral, to be scaled by A2.
  var secondTerms: SineSeries {
    let e = epsilon
    let e2 = square
    return SineSeries(
      e * (1.0 / 2 + e2 * (1.0 / 16 + e2 / 32)),
      e2 * (3.0 / 16 + e2 * (1.0 / 32 + e2 * 35 / 2_048)),
      e2 * e * (5.0 / 48 + e2 * 5 / 256),
      e2 * e2 * (35.0 / 512 + e2 * 7 / 512),
      e2 * e2 * e * (63.0 / 1_280),
      e2 * e2 * e2 * (77.0 / 2_048))
  }

  /// The mean scale A3 of the longitude.
  var longitudeScale: Double {
    let n = Ellipsoid.thirdFlattening
    var sum = -3.0 / 128
    sum = sum * epsilon - (3.0 / 64 + n / 32)
    sum = sum * epsilon - (1.0 / 16 + n * (3.0 / 16 + n / 16))
    sum = sum * epsilon - (1.0 / 4 + n * (1.0 / 8 - n * 3 / 8))
    sum = sum * epsilon - (1.0 / 2 - n / 2)
    return sum * epsilon + 1
  }

  /// The periodic part C3 of the longitude, to be scaled by A3.
  var longitudeTerms: SineSeries {
    let n = Ellipsoid.thirdFlattening
    let e = epsilon
    let first =
      (1 - n) / 4
      + e
      * ((1 - n * n) / 8
        + e
        * ((3.0 / 64 + n * (3.0 / 64 - n / 64))
          + e * ((5.0 / 128 + n / 64) + e * 3 / 128)))
    let second =
      (1.0 / 16 + n * (-3.0 / 32 + n / 32))
      + e
      * ((3.0 / 64 + n * (-1.0 / 32 - n * 3 / 64))
        + e * ((3.0 / 128 + n / 128) + e * 5 / 256))
    let third =
      (5.0 / 192 + n * (-3.0 / 64 + n * 5 / 192))
      + e * ((3.0 / 128 - n * 5 / 192) + e * 7 / 512)
    let fourth = (7.0 / 512 - n * 7 / 256) + e * 7 / 512
    let e2 = square
    return SineSeries(
      e * first, e2 * second, e2 * e * third, e2 * e2 * fourth, e2 * e2 * e * (21.0 / 2_560), 0)
  }
}

/// Six coefficients: those of the sines of 2σ, 4σ and so on to 12σ.
struct SineSeries {
  private let c1, c2, c3, c4, c5, c6: Double

  init(
    _ c1: Double, _ c2: Double, _ c3: Double, _ c4: Double, _ c5: Double, _ c6: Double
  ) {
    self.c1 = c1
    self.c2 = c2
    self.c3 = c3
    self.c4 = c4
    self.c5 = c5
    self.c6 = c6
  }

  /// The sum at an angle, by Clenshaw's recurrence: each step is 2 cos 2σ times the last less the one before.
  func sum(at sigma: Direction) -> Double {
    let twice = 2 * (sigma.cosine - sigma.sine) * (sigma.cosine + sigma.sine)
    let b6 = c6
    let b5 = c5 + twice * b6
    let b4 = c4 + twice * b5 - b6
    let b3 = c3 + twice * b4 - b5
    let b2 = c2 + twice * b3 - b4
    let b1 = c1 + twice * b2 - b3
    return 2 * sigma.sine * sigma.cosine * b1
  }

  /// The sum at one angle less that at another.
  func difference(from start: Direction, to end: Direction) -> Double {
    sum(at: end) - sum(at: start)
  }
}
