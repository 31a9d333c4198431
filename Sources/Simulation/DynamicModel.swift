/// The limits of a dynamic model; beyond the limits the receiver silently has no fix (Docs/SOURCES.md, U4).
///
/// The tables of MAX-M10M, NEO-F10N and ZED-F9R agree.
struct DynamicModel: Sendable {
  private let altitudeMax: Double
  private let speedMax: Double
  private let verticalSpeedMax: Double

  init(number: UInt64) {
    (altitudeMax, speedMax, verticalSpeedMax) =
      switch number {
      case 2: (9_000, 10, 6)
      case 3, 9: (9_000, 30, 20)
      case 4: (6_000, 100, 15)
      case 5: (500, 25, 5)
      case 6: (80_000, 100, 6_400)
      case 7: (80_000, 250, 6_400)
      case 8: (80_000, 500, 6_400)
      default: (12_000, 310, 50)
      }
  }

  func allows(_ motion: Motion) -> Bool {
    let rise = motion.down < 0 ? -motion.down : motion.down
    return motion.height <= altitudeMax && motion.speed <= speedMax && rise <= verticalSpeedMax
  }
}
