public import Accelerometers
public import BinnacleBasics

/// The acceleration of a chip that is fixed to a body: gravity, the body's motion, and the shaking.
///
/// The acceleration is the second measurement of a journey beside the receiver's position. It follows only from the
/// body, its seed and the instant, so that two programs with the same values compute the same acceleration. The chip's
/// axes are the body's: forward, left, up.
public struct FeltMotion: Equatable, Sendable {
  public let body: Body
  /// The instant at which the body starts to move along its path.
  public let departure: Instant
  private var spectra: [ShakeSpectrum?]
  private var impacts: ImpactNoise

  /// - Parameters:
  ///   - body: the body that carries the chip.
  ///   - departure: the body's departure, on the clock of the caller.
  ///   - seed: draws engine, surface, walker and events.
  public init(body: Body, departure: Instant, seed: UInt64) {
    self.body = body
    self.departure = departure
    var random = Random(seed: seed)
    let variety = random.unit()
    let used = body.course.map(\.shaking)
    spectra = Shaking.allCases.map { shaking in
      var own = Random(seed: random.next())
      guard used.contains(shaking) else { return nil }
      return ShakeSpectrum(shaking.bands(variety: variety), random: &own)
    }
    impacts = ImpactNoise(seed: random.next(), hasTrucks: used.contains(.street))
  }

  /// The acceleration in g at an instant; queries in the order of time are fastest.
  public mutating func acceleration(at now: Instant) -> Acceleration {
    let elapsed = now - departure
    let seconds = elapsed.seconds
    let index = body.second(after: elapsed)
    let second = body.course[index]
    // Forces rise and fall within a second.
    let before =
      elapsed < .seconds(1) ? .rest : body.course[index == 0 ? body.course.count - 1 : index - 1]
    let share = elapsed > .zero ? seconds - seconds.rounded(.down) : 0
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    let tilt = between(before.tilt, second.tilt)
    var sum = Acceleration(
      x: between(before.forward, second.forward),
      y: between(before.left, second.left) + sine(degrees: tilt),
      z: between(before.up, second.up) + cosine(degrees: tilt))
    let shaking = second.shaking
    if let spectrum = Shaking.allCases.firstIndex(of: shaking).flatMap({ spectra[$0] }) {
      let speed = body.motion(after: elapsed).speed
      let strength = shaking.strength(speed: speed, seconds: seconds, sine: { sine($0) })
      sum = sum + spectrum.acceleration(at: seconds).scaled(by: strength)
    }
    return shaking.hasImpacts ? sum + impacts.acceleration(at: seconds) : sum
  }

  /// The acceleration in g of a board that rests without any shaking until its body departs.
  mutating func accelerationOnBoard(at now: Instant) -> Acceleration {
    let isAway = now > departure || body.isAtRest(after: .zero)
    return isAway ? acceleration(at: now) : Acceleration(x: 0, y: 0, z: 1)
  }
}
