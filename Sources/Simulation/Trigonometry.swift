/// The sine of an angle in radians: its series after reduction to a quarter turn, equal on every machine.
func sine(_ angle: Double) -> Double {
  let half = Double.pi
  var reduced = angle - (angle / (2 * half)).rounded() * 2 * half
  if reduced > half / 2 { reduced = half - reduced }
  if reduced < -half / 2 { reduced = -half - reduced }
  let square = reduced * reduced
  var term = reduced
  var sum = reduced
  for step in 1...10 {
    term *= -square / Double((2 * step) * (2 * step + 1))
    sum += term
  }
  return sum
}

/// The cosine of an angle in radians.
func cosine(_ angle: Double) -> Double { sine(angle + Double.pi / 2) }
