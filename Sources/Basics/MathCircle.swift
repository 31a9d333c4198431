/// The sine of an angle in radians.
///
/// Pure arithmetic (+, -, ×, ÷), so that every machine computes the same bits; within one unit in the last
/// place for angles below two million, beyond that within the last place of the angle itself.
public func sine(_ radians: Double) -> Double {
  CircleAngle(radians: radians).sine
}

/// The cosine of an angle in radians; see ``sine(_:)`` for how exact it is.
public func cosine(_ radians: Double) -> Double {
  CircleAngle(radians: radians).cosine
}

/// The sine of an angle in degrees; exact at every multiple of 90, however large.
public func sine(degrees: Double) -> Double {
  CircleAngle(degrees: degrees).sine
}

/// The cosine of an angle in degrees; exact at every multiple of 90, however large.
public func cosine(degrees: Double) -> Double {
  CircleAngle(degrees: degrees).cosine
}

/// An angle as a number of quarter turns and a rest of at most an eighth of a turn.
private struct CircleAngle {
  private let quarter: Int
  private let rest: ExactPair

  init(radians: Double) {
    guard radians.isFinite else {
      quarter = 0
      rest = ExactPair(high: .nan, low: 0)
      return
    }
    // Larger angles are first taken into one turn; their own last place is then larger than the error.
    let angle = radians.magnitude < 2_097_152 ? radians : radians.remainder(dividingBy: 2 * .pi)
    let count = (angle * (2 / .pi)).rounded()
    // A quarter turn in three parts of 33 bits, whose products with `count` are exact, and a tail.
    let first = angle - count * 0x1.921fb544p+0
    let second = ExactPair(sumOf: first, and: -count * 0x1.0b4611a6p-34)
    let third = ExactPair(sumOf: second.high, and: -count * 0x1.3198a2ep-69)
    let tail = second.low + third.low - count * 0x1.b839a252049c1p-104
    quarter = Int(count)
    // The sum would turn a negative zero into a positive one.
    rest =
      count == 0
      ? ExactPair(high: angle, low: 0) : ExactPair(sumOf: third.high, and: tail)
  }

  init(degrees: Double) {
    guard degrees.isFinite else {
      quarter = 0
      rest = ExactPair(high: .nan, low: 0)
      return
    }
    let turn = degrees.remainder(dividingBy: 360)
    let count = (turn / 90).rounded()
    let left = count == 0 ? turn : turn - count * 90
    quarter = Int(count)
    if left.magnitude < 0x1p-900 {
      // Too small to be split into halves, and far too small for the second part to matter.
      rest = ExactPair(high: left * (.pi / 180), low: 0)
    } else {
      let product = ExactPair(productOf: left, and: 0x1.1df46a2529d39p-6)
      rest = ExactPair(high: product.high, low: product.low + left * 0x1.5c1d8becdd291p-62)
    }
  }

  var sine: Double {
    switch quarter & 3 {
    case 0: sineOfRest
    // Adding zero makes the zeros of the axes positive.
    case 1: cosineOfRest + 0
    case 2: 0 - sineOfRest
    default: 0 - cosineOfRest
    }
  }

  var cosine: Double {
    switch quarter & 3 {
    case 0: cosineOfRest
    case 1: 0 - sineOfRest
    case 2: 0 - cosineOfRest
    default: sineOfRest + 0
    }
  }

  /// Taylor's series up to the 17th power: the next term is below 2^-63 of the sine.
  private var sineOfRest: Double {
    // The sums below would lose the sign of a negative zero.
    guard rest.high != 0 else { return rest.high }
    let square = rest.high * rest.high
    var sum = 1.0 / 355_687_428_096_000
    sum = sum * square - 1.0 / 1_307_674_368_000
    sum = sum * square + 1.0 / 6_227_020_800
    sum = sum * square - 1.0 / 39_916_800
    sum = sum * square + 1.0 / 362_880
    sum = sum * square - 1.0 / 5_040
    sum = sum * square + 1.0 / 120
    sum = sum * square - 1.0 / 6
    return rest.high + (rest.high * square * sum + rest.low * (1 - square / 2))
  }

  /// Taylor's series up to the 18th power, with what rounding 1 - x²/2 loses put back.
  private var cosineOfRest: Double {
    let square = rest.high * rest.high
    var sum = -1.0 / 6_402_373_705_728_000
    sum = sum * square + 1.0 / 20_922_789_888_000
    sum = sum * square - 1.0 / 87_178_291_200
    sum = sum * square + 1.0 / 479_001_600
    sum = sum * square - 1.0 / 3_628_800
    sum = sum * square + 1.0 / 40_320
    sum = sum * square - 1.0 / 720
    sum = sum * square + 1.0 / 24
    let half = square / 2
    let start = 1 - half
    let lost = (1 - start) - half
    return start + (lost + (square * square * sum - rest.high * rest.low))
  }
}
