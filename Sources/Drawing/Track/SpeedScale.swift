import BinnacleBasics

/// Classes of speed with round borders, one color each.
struct SpeedScale: Equatable, Sendable {
  /// The width of a class in meters per second; the last class has no upper border.
  let step: Double
  let classCount: Int

  static let classesMax = 6

  /// - Parameter speeds: the speeds of a track in meters per second; few are much faster than the others.
  init(_ speeds: [Double]) {
    let sorted = speeds.sorted()
    let top = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 995 / 1_000)]
    step = max(
      0.5, RoundStep.least(top / Double(SpeedScale.classesMax), among: [1, 2, 2.5, 5, 10]))
    classCount = min(SpeedScale.classesMax, max(1, Int((top / step).rounded(.up))))
  }

  /// The number of the class of a speed.
  func number(_ speed: Double) -> Int {
    min(classCount - 1, max(0, Int((speed / step).rounded(.down))))
  }

  /// Such as `2 to 4 m/s`.
  func label(_ number: Int) -> String {
    func text(_ value: Double) -> String { SVGCanvas.number(value, places: 1) }
    let from = Double(number) * step
    if number + 1 == classCount, number > 0 { return "over \(text(from))" }
    return "\(text(from)) to \(text(from + step))"
  }
}

/// Steps of 1, 2 and 5 times a power of ten.
enum RoundStep {
  /// The smallest such step that is not below a value; 1 for a value that is not positive.
  static func least(_ value: Double, among factors: [Double] = [1, 2, 5, 10]) -> Double {
    guard value.isFinite, value > 0 else { return 1 }
    var power = 1e-6
    while power * 10 <= value, power < 1e12 { power *= 10 }
    for factor in factors where power * factor >= value * 0.999_999 { return power * factor }
    return power * 10
  }

  /// A length as text, in meters or kilometers.
  static func length(_ meters: Double) -> String {
    if meters >= 1_000 { return "\(SVGCanvas.number(meters / 1_000, places: 2)) km" }
    return "\(SVGCanvas.number(meters, places: 2)) m"
  }
}
