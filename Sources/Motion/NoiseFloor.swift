/// How much this chip in this place sways when it stands still, learned from the quietest moments.
///
/// The minimum over ten minutes of the medians of ten seconds: a drive raises a minimum late and a rest lowers it
/// at once, and single shocks do not reach a median. By itself the accelerometer learns no more than ``aloneMax``: an
/// engine that slow sampling folds into the band is as strong as a car that creeps. What the receiver vouched for
/// may be learned beyond that, and so may the noise of a chip with coarse steps.
struct NoiseFloor: Equatable, Codable, Sendable {
  /// Hops in a block: 10 s.
  private static let blockHops = 40
  /// The first block gives a result after 2 s.
  private static let firstHops = 8
  /// Blocks that are remembered: 10 min.
  private static let blockCount = 60

  /// The least threshold, in thousandths of g: a creeping car sways by 6 to 8, a desk by 0.4 to 4.
  static let thresholdMin = 5.0
  /// The greatest: no noise of a sensor is allowed to hide the start of a car (15 and more).
  static let thresholdMax = 20.0
  /// The greatest without a receiver that vouched: behind the low-pass idling cars sway by 1.5 to 5.4, and 99 % of the
  /// time creeping ones by more than 6.8.
  private static let aloneMax = 6.5
  /// The same of a chip with coarse steps.
  ///
  /// Three axes at the edge of steps of 10 add half a step each to 6.5, as squares. The logger of the recorded trips sways
  /// by 4.2 to 7.5 at rest in the median. A fifth of creeping behind such steps passes for rest, hardly ever 20 s of it.
  private static let coarseAloneMax = 11.0
  /// The spread of 2 s of steady noise stays below one and a half times its median.
  private static let steadyFactor = 1.5
  /// The sway of people in a parked car stays below so many times its quietest ten seconds (the factor of the reference).
  private static let occupiedFactor = 2.5

  private var block: [Double] = []
  private var vouchedBlock: [Double] = []
  private var scratch: [Double] = []
  private var levels: [Double] = []
  private var nextLevel = 0
  /// The quietest median, in thousandths of g; nil in the first two seconds.
  private(set) var sway: Double?
  /// The median of the newest ten seconds in which the receiver allowed a rest; 0 until there are two.
  private var vouchedSway = 0.0
  private var isCoarse = false

  init() {
    block.reserveCapacity(NoiseFloor.blockHops)
    vouchedBlock.reserveCapacity(NoiseFloor.blockHops)
    scratch.reserveCapacity(NoiseFloor.blockHops)
    levels.reserveCapacity(NoiseFloor.blockCount)
  }

  /// More sway than this is motion, in thousandths of g.
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
  ///   - steadySway: in thousandths of g.
  ///   - isCoarse: whether the chip's steps are as strong as such sway.
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

  /// The middle of a few numbers, of two the mean; sorted in a place of its own, so that nothing is allocated.
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
