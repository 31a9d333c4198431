public import Accelerometers
public import BinnacleBasics

/// What a chip feels that is fixed to a body: gravity, the body's way, and what shakes it.
///
/// The second witness of a journey beside the receiver's position. It follows from the body, its seed and the instant
/// alone, so that two programs that agree on these feel the same. The chip's axes are the body's: forward, left, up.
public struct FeltMotion: Equatable, Sendable {
  public let body: Body
  /// When the body starts to move along its path.
  public let departure: Instant
  private var spectra: [ShakeSpectrum?]
  private var knocks: ImpactNoise

  /// - Parameters:
  ///   - body: what it is fixed to.
  ///   - departure: when that sets out, on the clock of those who ask.
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
    knocks = ImpactNoise(seed: random.next(), hasTrucks: used.contains(.street))
  }

  /// In g at an instant; asking in the order of time is quickest.
  public mutating func acceleration(at now: Instant) -> Acceleration {
    let elapsed = now - departure
    let seconds = elapsed.seconds
    let index = body.second(after: elapsed)
    let second = body.course[index]
    // Forces come up and go within a second.
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
    return shaking.hasKnocks ? sum + knocks.acceleration(at: seconds) : sum
  }

  /// The same of a board that lies still, and is not shaken, until its body sets out.
  mutating func accelerationOnBoard(at now: Instant) -> Acceleration {
    let isAway = now > departure || body.isAtRest(after: .zero)
    return isAway ? acceleration(at: now) : Acceleration(x: 0, y: 0, z: 1)
  }
}
