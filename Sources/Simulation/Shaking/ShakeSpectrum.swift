import Accelerometers
import BinnacleBasics

/// Noise with a given spectrum as a sum of tones, so that each instant can be computed on its own.
///
/// A caller that samples slower than twice the highest tone gets the same aliases as a chip.
struct ShakeSpectrum: Equatable, Sendable {
  private struct Tone: Equatable, Sendable {
    /// Radians per second.
    var frequency: Double
    var phase: Double
    /// In g, of sine and cosine.
    var sine: Acceleration
    var cosine: Acceleration
  }

  /// More tones make no difference in a window of two seconds.
  private static let tonesPerBand = 6
  private var tones: [Tone] = []

  init(_ bands: [Shaking.Band], random: inout Random) {
    for band in bands {
      let count = ShakeSpectrum.tonesPerBand
      for index in 0..<count {
        // Each tone has its share of the band's power, and each axis a share of the tone's power. A line is one tone
        // that beats a little.
        let evenly = 1 / Double(count)
        let share = !band.isLine ? evenly : index == count / 2 ? 0.9 : 0.1 / Double(count - 1)
        let amplitude = band.milliG / 1_000 * share.squareRoot()
        let place = (Double(index) + random.unit()) / Double(count)
        let hertz = band.low + (band.high - band.low) * place
        let (sine, cosine) = (
          ShakeSpectrum.direction(&random), ShakeSpectrum.direction(&random)
        )
        tones.append(
          Tone(
            frequency: 2 * .pi * hertz, phase: 2 * .pi * random.unit(),
            sine: sine.scaled(by: amplitude), cosine: cosine.scaled(by: amplitude)))
      }
    }
  }

  /// A random direction of length 1, so that its sine and cosine together have a mean square of 1.
  private static func direction(_ random: inout Random) -> Acceleration {
    let axes = Acceleration(x: random.normal(), y: random.normal(), z: random.normal())
    return axes.scaled(by: 1 / max(1e-9, axes.magnitude))
  }

  /// The acceleration in g, so many seconds after the start of the noise.
  func acceleration(at seconds: Double) -> Acceleration {
    var sum = Acceleration.zero
    for tone in tones {
      let angle = tone.frequency * seconds + tone.phase
      let (s, c) = (BinnacleBasics.sine(angle), BinnacleBasics.cosine(angle))
      sum.x += tone.sine.x * s + tone.cosine.x * c
      sum.y += tone.sine.y * s + tone.cosine.y * c
      sum.z += tone.sine.z * s + tone.cosine.z * c
    }
    return sum
  }
}

extension Acceleration {
  func scaled(by factor: Double) -> Acceleration {
    Acceleration(x: x * factor, y: y * factor, z: z * factor)
  }

  static func + (left: Acceleration, right: Acceleration) -> Acceleration {
    Acceleration(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }
}
