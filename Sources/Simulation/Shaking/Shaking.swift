/// The source that shakes a body.
///
/// Where recordings exist, the bands are those of the recordings, and a test compares the two. Other numbers are marked
/// as assumptions. A simulation with assumed numbers proves nothing about a real place of that kind.
public enum Shaking: String, CaseIterable, Codable, Sendable {
  /// Only the chip's own noise.
  case nothing
  /// A car's engine at idle: a line at 22 to 33 Hz, and little below 4 Hz (Docs/SOURCES.md, M1).
  case engine
  /// A car on a road; the shaking grows with its speed.
  case road
  /// A walker with the board in a pocket.
  case gait
  /// A standing person who wears the board.
  case standing
  /// Typing, footsteps and thumps at a desk.
  case desk
  /// Typing, footsteps and thumps at a desk, and trucks.
  case street
  /// A ship under way; less at the quay.
  case sea
  /// Gusts at a mast.
  case wind
  /// Hands that lift the board gently.
  case hands
  /// The cabin of an elevator.
  case cabin

  /// Whether a person handles the board, even if the board does not move on.
  var meansHandled: Bool {
    switch self {
    case .hands, .gait: true
    case .nothing, .engine, .road, .standing, .desk, .street, .sea, .wind, .cabin: false
    }
  }

  /// Whether the source has single impacts beside its bands.
  var hasImpacts: Bool { self == .desk || self == .street }

  /// A band of the spectrum.
  struct Band: Equatable, Sendable {
    /// In hertz.
    let low: Double
    let high: Double
    /// The root of the mean square of all axes together, in thousandths of g.
    let milliG: Double
    /// Whether one tone in the middle of the band has most of the power.
    let isLine: Bool

    init(_ low: Double, _ high: Double, _ milliG: Double, isLine: Bool = false) {
      self.low = low
      self.high = high
      self.milliG = milliG
      self.isLine = isLine
    }

    /// A line whose width is little more than its drift.
    static func line(_ hertz: Double, _ milliG: Double) -> Band {
      Band(hertz * 0.99, hertz * 1.01, milliG, isLine: true)
    }
  }

  /// The spectrum of the source; `variety` (0 to 1) stands for the difference between engines or walkers.
  func bands(variety: Double) -> [Band] {
    switch self {
    case .nothing, .desk, .street: []
    case .engine:
      // Recordings wid_dot, label 0: 48 mg at 22 to 34 Hz, 13 to 16 mg at half of that, 9 at 4 to 8, 2.5, 0.9 and 0.5
      // below. Other engines at idle have 40 to 100 mg rms at 22 to 32 Hz (Docs/SOURCES.md, M1).
      [
        .line(22.3 + 10.7 * variety * variety, 48), .line(11.2 + 5.3 * variety * variety, 14),
        Band(16, 20, 5), Band(4, 8, 9), Band(2, 4, 2.5), Band(1, 2, 0.9), Band(0.25, 1, 0.5),
      ]
    case .road:
      // Recording balzer (a phone in a car in traffic), scaled by `strength`; below 1 Hz the path contributes most.
      [
        Band(0.25, 1, 14), Band(1, 2, 44), Band(2, 4, 34), Band(4, 8, 42), Band(8, 16, 56),
        Band(16, 22, 42), Band(22, 34, 50),
      ]
    case .gait:
      // Recordings s3walk: steps at 1.5 to 2 Hz, the double step at half of that, and the contribution of the pocket.
      [
        .line(0.8 + 0.2 * variety, 170), .line(1.6 + 0.4 * variety, 360),
        .line(3.2 + 0.8 * variety, 370), .line(4.8 + 1.2 * variety, 185), Band(5.5, 8, 185),
        Band(8, 16, 200), Band(16, 22, 58), Band(22, 34, 38), Band(34, 45, 17),
      ]
    case .standing:
      // On the back of a person who stands: 19 mg, after the low-pass 15 mg (Docs/SOURCES.md, M4).
      [Band(0.25, 1, 11), Band(1, 2, 9), Band(2, 4, 6), Band(4, 8, 6), Band(8, 16, 6)]
    case .sea:
      // Assumed: a roll of 1.7 degrees with a period of 6 to 12 s, heave, and engines.
      [Band(0.08, 0.17, 30), Band(0.15, 0.3, 15), Band(9, 12, 6), Band(18, 22, 6)]
    case .wind:
      // Assumed: the first bending of a mast near 1 Hz, the second near 5 Hz.
      [.line(0.8 + 0.5 * variety, 3), .line(4.5 + 1.5 * variety, 3)]
    case .hands:
      // Assumed: an arm that lifts slowly, and the tremor of hands at 8 to 12 Hz.
      [Band(0.25, 1, 15), Band(1, 2, 12), Band(2, 4, 8), Band(8, 12, 5)]
    case .cabin:
      // Assumed.
      [Band(2, 8, 4), Band(8, 16, 5)]
    }
  }

  /// The factor of the spectrum at a speed in m/s and a time in seconds.
  func strength(speed: Double, seconds: Double, sine: (Double) -> Double) -> Double {
    switch self {
    case .road:
      // Recordings wid_dot and wid_mru creep at half of the level that balzer and freematics show in traffic. Above
      // that speed, surfaces differ, over some seconds.
      let surface = 1 + 0.35 * sine(seconds * 0.37) * sine(seconds * 0.083 + 1)
      return min(1.4, 0.12 + 0.09 * speed) * surface
    case .sea: return 0.3 + 0.7 * min(1, speed / 8)
    case .wind:
      let gust = sine(seconds * 0.065) * sine(seconds * 0.153)
      return 0.3 + 1.7 * gust * gust
    case .nothing, .engine, .gait, .standing, .desk, .street, .hands, .cabin: return 1
    }
  }
}
