/// The sums of one hop of low-passed samples, for the calculation of their spread.
struct SwayBin: Equatable, Codable, Sendable {
  /// The largest number of samples in a hop, which is 2,000 Hz; further samples are ignored.
  static let samplesMax = 512.0

  private(set) var count = 0.0
  private var x = 0.0
  private var y = 0.0
  private var z = 0.0
  private var squares = 0.0

  var isEmpty: Bool { count == 0 }

  /// Adds a sample after the low-pass filter.
  mutating func add(_ smooth: FineAcceleration) {
    guard count < SwayBin.samplesMax else { return }
    count += 1
    x += Double(smooth.x)
    y += Double(smooth.y)
    z += Double(smooth.z)
    squares += Double(smooth.square)
  }

  /// One standard deviation in thousandths of g, over all axes.
  var spread: Double {
    guard count > 0 else { return 0 }
    let mean = (x: x / count, y: y / count, z: z / count)
    let variance = squares / count - (mean.x * mean.x + mean.y * mean.y + mean.z * mean.z)
    return max(variance, 0).squareRoot() / 1_000
  }

  static func + (left: SwayBin, right: SwayBin) -> SwayBin {
    var sum = left
    sum.count += right.count
    sum.x += right.x
    sum.y += right.y
    sum.z += right.z
    sum.squares += right.squares
    return sum
  }
}
