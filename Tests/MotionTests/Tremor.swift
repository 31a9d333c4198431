import BinnacleBasics

/// The figures by which shaking is compared: those of the reference, in thousandths of g, of all axes together.
struct Tremor {
  /// Quantiles of the spread within a second.
  let raw: (low: Double, middle: Double, high: Double)
  /// Quantiles of the spread within two seconds of the mean over a quarter of one.
  let sway: (low: Double, middle: Double, high: Double)
  /// The frequency with the most power above 1 Hz.
  let peakHertz: Double

  /// - Parameters:
  ///   - samples: one recording or several, in g.
  ///   - hertz: samples a second.
  init(of samples: [[[Double]]], hertz: Double) {
    var raw: [Double] = []
    var sway: [Double] = []
    var powers: [Double] = []
    let second = Int(hertz.rounded())
    let step = second / 2
    for stretch in samples {
      let low = Tremor.means(stretch, over: max(1, Int((hertz / 4).rounded())))
      for start in stride(from: 0, to: stretch.count - second, by: step) {
        raw.append(Tremor.spread(stretch[start..<start + second]))
      }
      for start in stride(from: 0, to: low.count - 2 * second, by: step) {
        sway.append(Tremor.spread(low[start..<start + 2 * second]))
      }
      for start in stride(from: 0, to: stretch.count - 4 * second, by: 16 * second) {
        let own = Tremor.spectrum(Array(stretch[start..<start + 4 * second]), hertz: hertz)
        if powers.isEmpty {
          powers = own
        } else {
          for index in own.indices { powers[index] += own[index] }
        }
      }
    }
    self.raw = Tremor.quantiles(raw)
    self.sway = Tremor.quantiles(sway)
    let strongest = powers.indices.max { powers[$0] < powers[$1] } ?? 0
    peakHertz = 1 + Double(strongest) * Tremor.stepHertz
  }

  private static let stepHertz = 0.25

  private static func spread(_ window: ArraySlice<[Double]>) -> Double {
    var variance = 0.0
    for axis in 0..<3 {
      let mean = window.reduce(0) { $0 + $1[axis] } / Double(window.count)
      variance +=
        window.reduce(0) { $0 + ($1[axis] - mean) * ($1[axis] - mean) } / Double(window.count)
    }
    return variance.squareRoot() * 1_000
  }

  private static func means(_ samples: [[Double]], over count: Int) -> [[Double]] {
    var means: [[Double]] = []
    var sum = [0.0, 0.0, 0.0]
    for (index, sample) in samples.enumerated() {
      for axis in 0..<3 {
        sum[axis] += sample[axis] - (index >= count ? samples[index - count][axis] : 0)
      }
      if index >= count - 1 { means.append(sum.map { $0 / Double(count) }) }
    }
    return means
  }

  /// Power at 1 Hz, 1.25 Hz and so on.
  private static func spectrum(_ samples: [[Double]], hertz: Double) -> [Double] {
    stride(from: 1.0, to: hertz / 2, by: stepHertz).map { frequency in
      var power = 0.0
      for axis in 0..<3 {
        let mean = samples.reduce(0) { $0 + $1[axis] } / Double(samples.count)
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
          let angle = 2 * Double.pi * frequency * Double(index) / hertz
          real += (sample[axis] - mean) * cosine(angle)
          imaginary += (sample[axis] - mean) * sine(angle)
        }
        power += real * real + imaginary * imaginary
      }
      return power
    }
  }

  private static func quantiles(_ numbers: [Double]) -> (low: Double, middle: Double, high: Double)
  {
    let sorted = numbers.sorted()
    func at(_ share: Double) -> Double {
      sorted.isEmpty ? .nan : sorted[Int(share * Double(sorted.count - 1))]
    }
    return (at(0.05), at(0.5), at(0.95))
  }
}
