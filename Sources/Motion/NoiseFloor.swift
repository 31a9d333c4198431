/// The sway of this chip at this place while it stands still, learned from the quietest times.
///
/// The floor is the minimum over ten minutes of the medians of ten seconds. A drive raises a minimum late, a rest
/// lowers it at once, and single shocks do not change a median. From the accelerometer alone the threshold is at most
/// ``aloneMax``, because an idling engine that slow sampling aliases into the band is as strong as a creeping car. With
/// a receiver that reports rest, or with the noise of a chip with coarse steps, the threshold may be higher.
struct NoiseFloor: Equatable, Codable, Sendable {
  /// The number of hops in a block: 10 s.
  private static let blockHops = 40
  /// The first block has a result after 2 s.
  private static let firstHops = 8
  /// The number of remembered blocks: 10 min.
  private static let blockCount = 60

  /// The lowest threshold, in thousandths of g: a creeping car sways by 6 to 8, a desk by 0.4 to 4.
  static let thresholdMin = 5.0
  /// The highest threshold: the noise of a sensor must not hide the start of a car (15 and more).
  static let thresholdMax = 20.0
  /// The highest threshold without a receiver that reports rest.
  ///
  /// After the low-pass filter idling cars sway by 1.5 to 5.4, and creeping cars by more than 6.8 in 99 % of the time.
  private static let aloneMax = 6.5
  /// The highest threshold for a chip with coarse steps, without a receiver that reports rest.
  ///
  /// Three axes at the edge of steps of 10 add half a step each to 6.5, as squares. The logger of the recorded trips
  /// sways by 4.2 to 7.5 at rest in the median. With such steps a fifth of the creeping time looks like rest, but
  /// almost never for 20 s.
  private static let coarseAloneMax = 11.0
  /// The ratio of steady noise to its median stays below this value over 2 s.
  private static let steadyFactor = 1.5
  /// The ratio of the sway of people in a parked car to its quietest ten seconds stays below this value.
  ///
  /// The value is that of the reference.
  private static let occupiedFactor = 2.5

  private var block: [Double] = []
  private var vouchedBlock: [Double] = []
  private var scratch: [Double] = []
  private var levels: [Double] = []
  private var nextLevel = 0
  /// The lowest median, in thousandths of g; nil in the first two seconds.
  private(set) var sway: Double?
  /// The median of the newest ten seconds in which the receiver allowed a rest; 0 for the first two such seconds.
  private var vouchedSway = 0.0
  private var isCoarse = false

  init() {
    block.reserveCapacity(NoiseFloor.blockHops)
    vouchedBlock.reserveCapacity(NoiseFloor.blockHops)
    scratch.reserveCapacity(NoiseFloor.blockHops)
    levels.reserveCapacity(NoiseFloor.blockCount)
  }

  /// The threshold of motion, in thousandths of g.
  var threshold: Double {
    let least = sway ?? 0
    let alone =
      isCoarse
      ? min(NoiseFloor.occupiedFactor * least, NoiseFloor.coarseAloneMax)
      : min(NoiseFloor.steadyFactor * least, NoiseFloor.aloneMax)
    let vouched = min(
      NoiseFloor.occupiedFactor * min(least, vouchedSway), NoiseFloor.thresholdMax)
    return max(alone, vouched, NoiseFloor.thresholdMin)
  }

  /// Takes the steady sway of a hop.
  ///
  /// - Parameters:
  ///   - steadySway: the sway in thousandths of g.
  ///   - isCoarse: whether the chip's steps are as large as the sway at rest.
  ///   - isVouchedFor: whether the receiver's speed allows a rest.
  mutating func hopEnded(_ steadySway: Double, isCoarse: Bool, isVouchedFor: Bool) {
    self.isCoarse = isCoarse
    block.append(steadySway)
    if block.count == NoiseFloor.blockHops {
      remember(median(of: block))
      block.removeAll(keepingCapacity: true)
    } else if levels.isEmpty, block.count >= NoiseFloor.firstHops {
      sway = median(of: block)
    }
    vouch(steadySway, isVouchedFor)
  }

  private mutating func vouch(_ steadySway: Double, _ isVouchedFor: Bool) {
    guard isVouchedFor else {
      vouchedBlock.removeAll(keepingCapacity: true)
      return
    }
    vouchedBlock.append(steadySway)
    switch vouchedBlock.count {
    case NoiseFloor.firstHops: vouchedSway = median(of: vouchedBlock)
    case NoiseFloor.blockHops:
      vouchedSway = median(of: vouchedBlock)
      vouchedBlock.removeAll(keepingCapacity: true)
    default: break
    }
  }

  private mutating func remember(_ level: Double) {
    if levels.count < NoiseFloor.blockCount {
      levels.append(level)
    } else {
      levels[nextLevel] = level
      nextLevel = (nextLevel + 1) % NoiseFloor.blockCount
    }
    sway = levels.reduce(level, min)
  }

  /// The median of a few numbers; it is sorted in a reused buffer, so that nothing is allocated.
  private mutating func median(of numbers: [Double]) -> Double {
    scratch.removeAll(keepingCapacity: true)
    for number in numbers {
      scratch.append(number)
      var index = scratch.count - 1
      while index > 0, scratch[index - 1] > number {
        scratch[index] = scratch[index - 1]
        index -= 1
      }
      scratch[index] = number
    }
    let middle = scratch.count / 2
    return scratch.count % 2 == 1 ? scratch[middle] : (scratch[middle - 1] + scratch[middle]) / 2
  }
}
