/// How much this chip in this place sways when it stands still, learned from the quietest moments.
///
/// The minimum over ten minutes of the medians of ten seconds: a drive raises a minimum late and a rest lowers it
/// at once, and single shocks do not reach a median.
struct NoiseFloor: Equatable, Codable, Sendable {
  /// Hops in a block: 10 s.
  private static let blockHops = 40
  /// The first block says something after 2 s.
  private static let firstHops = 8
  /// Blocks that are remembered: 10 min.
  private static let blockCount = 60

  /// The least threshold, in thousandths of g: a creeping car sways by 6 to 8, a desk by 0.4 to 4.
  static let thresholdMin = 5.0
  /// The greatest: no noise of a sensor is allowed to hide the start of a car (15 and more).
  static let thresholdMax = 20.0
  /// What the floor alone may raise the threshold to, so that a board that moves from the start does not learn its
  /// creeping as noise: behind the low-pass no idling car was found above 5.4.
  private static let floorPartMax = 8.0
  /// The spread of 2 s of stationary noise stays below one and a half times its median.
  private static let floorFactor = 1.5
  /// The same for noise that was not measured behind the low-pass but computed, and wanders more.
  private static let aliasFactor = 1.6
  /// An idling engine shakes at 22 to 33 Hz, which the boxcar takes away from 50 Hz on.
  ///
  /// Sampled slower it is folded into the band that is looked at, at 25 Hz all of it, and cannot be told from
  /// white noise.
  private static let aliasFreeHertz = 50.0
  private static let aliasFullHertz = 25.0

  private struct Level: Equatable, Codable, Sendable {
    var sway: Double
    var noise: Double
  }

  private var block: [Double] = []
  private var noiseBlock: [Double] = []
  private var scratch: [Double] = []
  private var levels: [Level] = []
  private var nextLevel = 0
  /// The quietest median, in thousandths of g; nil in the first two seconds.
  private(set) var sway: Double?
  /// The quietest median of noise that may be folded engine.
  private(set) var noise: Double?

  init() {
    block.reserveCapacity(NoiseFloor.blockHops)
    noiseBlock.reserveCapacity(NoiseFloor.blockHops)
    scratch.reserveCapacity(NoiseFloor.blockHops)
    levels.reserveCapacity(NoiseFloor.blockCount)
  }

  /// What sways more than this is moved, in thousandths of g.
  var threshold: Double {
    let floorPart = min(NoiseFloor.floorFactor * (sway ?? 0), NoiseFloor.floorPartMax)
    let learned = max(floorPart, NoiseFloor.aliasFactor * (noise ?? 0))
    return min(max(learned, NoiseFloor.thresholdMin), NoiseFloor.thresholdMax)
  }

  mutating func hopEnded(_ spreads: SwayWindow.Spreads) {
    let range = NoiseFloor.aliasFreeHertz - NoiseFloor.aliasFullHertz
    let weight = (NoiseFloor.aliasFreeHertz - spreads.samplesPerSecond) / range
    block.append(spreads.steadySway)
    noiseBlock.append(spreads.noise * min(max(weight, 0), 1))
    if block.count == NoiseFloor.blockHops {
      remember(Level(sway: median(of: block), noise: median(of: noiseBlock)))
      block.removeAll(keepingCapacity: true)
      noiseBlock.removeAll(keepingCapacity: true)
    } else if levels.isEmpty, block.count >= NoiseFloor.firstHops {
      sway = median(of: block)
      noise = median(of: noiseBlock)
    }
  }

  private mutating func remember(_ level: Level) {
    if levels.count < NoiseFloor.blockCount {
      levels.append(level)
    } else {
      levels[nextLevel] = level
      nextLevel = (nextLevel + 1) % NoiseFloor.blockCount
    }
    var least = level
    for level in levels {
      least.sway = min(least.sway, level.sway)
      least.noise = min(least.noise, level.noise)
    }
    sway = least.sway
    noise = least.noise
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
