/// The number whose third power is the given one; negative for a negative number.
public func cubeRoot(_ number: Double) -> Double {
  guard number.isFinite, number != 0 else { return number }
  // number = significand × 8^thirds with a significand from 1 up to 8.
  let exponent = Int(number.magnitude.exponent)
  let thirds = (exponent - (exponent % 3 + 3) % 3) / 3
  let significand = Double(
    sign: .plus, exponent: exponent - 3 * thirds, significand: number.magnitude.significand)
  // A straight line within 10 %, then Newton's steps, each of which doubles the digits.
  var root = 0.9 + 0.145 * significand
  for _ in 0..<4 { root -= (root - significand / (root * root)) / 3 }
  // The last step works on the exact remainder, so that only the final sum rounds.
  let square = ExactPair(productOf: root, and: root)
  let cube = ExactPair(productOf: square.high, and: root)
  let excess = (cube.high - significand) + (cube.low + square.low * root)
  root -= excess / (3 * square.high)
  return Double(sign: number.sign, exponent: thirds, significand: root)
}
