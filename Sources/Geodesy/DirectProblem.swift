import BinnacleBasics

/// The direct problem: from a point, an azimuth and a distance to the other end.
enum DirectProblem {
  static func arrival(
    from start: GeographicPoint, azimuth: Double, distanceMeters: Double
  ) -> Geodesic.Arrival {
    let beta = Ellipsoid.reducedLatitude(degrees: start.latitude)
    let alpha = Direction(degrees: azimuth)
    // The geodesic is followed from its northward crossing of the equator, where its azimuth is α0.
    let alpha0 = GreatCircle.azimuthAtEquator(azimuth: alpha, latitude: beta)
    let sigma1 = GreatCircle.arc(azimuth: alpha, latitude: beta)
    let series = GeodesicSeries(
      kSquared: Ellipsoid.secondEccentricitySquared * alpha0.cosine * alpha0.cosine)

    // Distance is even in τ; its series reversed leads to the arc σ.
    let tau12 = distanceMeters / (Ellipsoid.polarRadiusMeters * series.distanceScale)
    let offset1 = series.distanceTerms.sum(at: sigma1)
    let tau2 = sigma1.turned(by: Direction(radians: offset1))
      .turned(by: Direction(radians: tau12))
    let sigma12 = tau12 + offset1 + series.arcTerms.sum(at: tau2)
    let sigma2 = sigma1.turned(by: Direction(radians: sigma12))

    let beta2Sine = alpha0.cosine * sigma2.sine
    let beta2Cosine = hypotenuse(alpha0.sine, alpha0.cosine * sigma2.cosine)
    let alpha2 = Direction(sine: alpha0.sine, cosine: alpha0.cosine * sigma2.cosine)
    let omega12 = GreatCircle.longitude(arc: sigma2, azimuthAtEquator: alpha0)
      .angle(from: GreatCircle.longitude(arc: sigma1, azimuthAtEquator: alpha0))
    let longer = sigma12 + series.longitudeTerms.difference(from: sigma1, to: sigma2)
    let lambda12 =
      omega12 - Ellipsoid.flattening * alpha0.sine * series.longitudeScale * longer

    let latitude = arcTangent2Degrees(beta2Sine, (1 - Ellipsoid.flattening) * beta2Cosine)
    let turned = (start.longitude.remainder(dividingBy: 360) + lambda12 * (180 / .pi))
      .remainder(dividingBy: 360)
    return Geodesic.Arrival(
      point: GeographicPoint(latitude: latitude, longitude: turned), azimuth: alpha2.degrees)
  }
}
