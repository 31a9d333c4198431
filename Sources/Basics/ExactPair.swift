/// A number as the unevaluated sum of two doubles: about 106 bits, for the steps of a function where the
/// last bit of the answer is decided.
struct ExactPair {
  /// The sum, rounded to a double.
  let high: Double
  /// The rounding error of `high`.
  let low: Double

  init(high: Double, low: Double) {
    self.high = high
    self.low = low
  }

  /// The sum of any two numbers, without loss (Knuth's two-sum).
  init(sumOf left: Double, and right: Double) {
    let sum = left + right
    let rightPart = sum - left
    high = sum
    low = (left - (sum - rightPart)) + (right - rightPart)
  }

  /// The product of two numbers, without loss unless it underflows (Dekker's product).
  init(productOf left: Double, and right: Double) {
    let a = ExactPair(halvesOf: left)
    let b = ExactPair(halvesOf: right)
    let product = left * right
    high = product
    low = ((a.high * b.high - product) + a.high * b.low + a.low * b.high) + a.low * b.low
  }

  /// A number as two halves of 26 bits each (Veltkamp's split); for magnitudes below 2^996.
  private init(halvesOf number: Double) {
    let scaled = number * 134_217_729
    high = scaled - (scaled - number)
    low = number - high
  }
}
