/// The angle of the point (x, y) from the positive x axis, in radians, -π to π.
///
/// Signed zeros, infinities and NaN are treated as the C library's `atan2` treats them.
public func arcTangent2(_ y: Double, _ x: Double) -> Double {
  let angle = ArcTangent(y: y, x: x)
  let base: ExactPair
  switch angle.quarters {
  case 0: base = ExactPair(high: 0, low: 0)
  case 1: base = ExactPair(high: 0x1.921fb54442d18p+0, low: 0x1.1a62633145c07p-54)
  default: base = ExactPair(high: 0x1.921fb54442d18p+1, low: 0x1.1a62633145c07p-53)
  }
  return angle.placed(angle.rest, from: base)
}

/// The angle of the point (x, y) from the positive x axis, in degrees, -180 to 180; exact on the axes and
/// on the diagonals.
public func arcTangent2Degrees(_ y: Double, _ x: Double) -> Double {
  let angle = ArcTangent(y: y, x: x)
  let scale = 0x1.ca5dc1a63c1f8p+5
  let rest: ExactPair
  if angle.rest.high.magnitude < 0x1p-900 {
    rest = ExactPair(high: angle.rest.high * scale, low: 0)
  } else {
    let product = ExactPair(productOf: angle.rest.high, and: scale)
    let low = product.low + angle.rest.low * scale - angle.rest.high * 0x1.1e7ab456405f9p-49
    rest = ExactPair(high: product.high, low: low)
  }
  return angle.placed(rest, from: ExactPair(high: Double(angle.quarters) * 90, low: 0))
}

/// The angle of a point as a number of quarter turns (0, 1 or 2) and a first-octant angle to add or subtract.
private struct ArcTangent {
  let quarters: Int
  /// Between 0 and an eighth of a turn, in radians.
  let rest: ExactPair
  private let subtracts: Bool
  private let isNegative: Bool

  init(y: Double, x: Double) {
    isNegative = y.sign == .minus
    let isLeft = x.sign == .minus
    let isSteep = y.magnitude > x.magnitude
    quarters = isSteep ? 1 : (isLeft ? 2 : 0)
    subtracts = isSteep != isLeft
    rest = ArcTangent.firstOctant(
      min(x.magnitude, y.magnitude), over: max(x.magnitude, y.magnitude),
      isNaN: x.isNaN || y.isNaN)
  }

  func placed(_ rest: ExactPair, from base: ExactPair) -> Double {
    let sign = subtracts ? -1.0 : 1.0
    let sum = ExactPair(sumOf: base.high, and: sign * rest.high)
    let magnitude = sum.high + (sum.low + base.low + sign * rest.low)
    return isNegative ? -magnitude : magnitude
  }

  private static func firstOctant(_ short: Double, over long: Double, isNaN: Bool) -> ExactPair {
    if isNaN { return ExactPair(high: .nan, low: 0) }
    if short == 0 { return ExactPair(high: 0, low: 0) }
    if long == .infinity {
      return short == .infinity ? table[16] : ExactPair(high: 0, low: 0)
    }
    let ratio = short / long
    let step = Int((ratio * 16).rounded())
    if step == 0 {
      let correction = series(ratio)
      return ExactPair(high: ratio, low: correction)
    }
    // tan(a - b) = (tan a - tan b) / (1 + tan a tan b), with tan b = step / 16. The sides are brought near
    // 1 first, so that nothing overflows; they are within a factor of 32 of each other.
    let exponent = -long.exponent
    let y = Double(sign: .plus, exponent: exponent, significand: short)
    let x = Double(sign: .plus, exponent: exponent, significand: long)
    let slope = Double(step) / 16
    let product = ExactPair(productOf: slope, and: x)
    let tangent = ((y - product.high) - product.low) / (x + slope * y)
    let sum = ExactPair(sumOf: table[step].high, and: tangent)
    return ExactPair(high: sum.high, low: sum.low + (table[step].low + series(tangent)))
  }

  /// The difference of the arc tangent of at most 1/31 and its argument; the next term is below 2^-63 of it.
  private static func series(_ tangent: Double) -> Double {
    let square = tangent * tangent
    var sum = 1.0 / 13
    sum = sum * square - 1.0 / 11
    sum = sum * square + 1.0 / 9
    sum = sum * square - 1.0 / 7
    sum = sum * square + 1.0 / 5
    sum = sum * square - 1.0 / 3
    return sum * square * tangent
  }

  /// The arc tangents of 0/16 to 16/16.
  private static let table: [ExactPair] = [
    ExactPair(high: 0, low: 0),
    ExactPair(high: 0x1.ff55bb72cfdeap-5, low: -0x1.c934d86d23f1dp-60),
    ExactPair(high: 0x1.fd5ba9aac2f6ep-4, low: -0x1.cd37686760c17p-59),
    ExactPair(high: 0x1.7b97b4bce5b02p-3, low: 0x1.347b0b4f881cap-58),
    ExactPair(high: 0x1.f5b75f92c80ddp-3, low: 0x1.8ab6e3cf7afbdp-57),
    ExactPair(high: 0x1.362773707ebccp-2, low: -0x1.963a544b672d8p-57),
    ExactPair(high: 0x1.6f61941e4def1p-2, low: -0x1.c63aae6f6e918p-56),
    ExactPair(high: 0x1.a64eec3cc23fdp-2, low: -0x1.24dec1b50b7ffp-56),
    ExactPair(high: 0x1.dac670561bb4fp-2, low: 0x1.a2b7f222f65e2p-56),
    ExactPair(high: 0x1.0657e94db30d0p-1, low: -0x1.d5b495f6349e6p-56),
    ExactPair(high: 0x1.1e00babdefeb4p-1, low: -0x1.928df287a668fp-58),
    ExactPair(high: 0x1.345f01cce37bbp-1, low: 0x1.1021137c71102p-55),
    ExactPair(high: 0x1.4978fa3269ee1p-1, low: 0x1.2419a87f2a458p-56),
    ExactPair(high: 0x1.5d58987169b18p-1, low: 0x1.0028e4bc5e7cap-57),
    ExactPair(high: 0x1.700a7c5784634p-1, low: -0x1.8c34d25aadef6p-56),
    ExactPair(high: 0x1.819d0b7158a4dp-1, low: -0x1.bf76229d3b917p-56),
    ExactPair(high: 0x1.921fb54442d18p-1, low: 0x1.1a62633145c07p-55),
  ]
}
