import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// A day of driving to and fro near a border of the grid: the best that an app with reduced accuracy finds out.
///
/// The board drives along a road across the border, and its way has one middle. The app knows the grid, the rules of
/// ``CoarsePlace`` and the length of the way. It looks for the middle with three methods, and the best result counts:
/// the mean of all places; the middle of all positions that the seen cells allow; and, once it has seen two cells, the
/// share of time in each. The controls are a grid without the margin of 500 m, and places with random errors.
@Suite struct CoarseAttackTests {
  private static let metersPerDegree = 111_195.0
  private static let border = 1_052 * 0.045
  private static let cellMeters = 0.045 * metersPerDegree
  /// The margin by which the board must be outside of its cell.
  private static let marginMeters = 0.1 * cellMeters

  /// The way that the app gets a place from a position.
  private enum Scheme: String, CaseIterable {
    case binnacle = "cells with a margin"
    case naive = "cells without a margin"
    case jitter = "random errors of 2.5 km"
  }

  /// The errors of the best estimate of the middle, in meters.
  private struct Finding {
    /// Across the border.
    var across: Double
    /// With the other coordinate, of which the app sees one cell.
    var total: Double
  }

  /// The places across the border, one each 15 minutes of a day, in meters from the border.
  private static func places(
    _ scheme: Scheme, middle: Double, reach: Double, random: inout Random
  ) -> [Double] {
    var place = CoarsePlace()
    var seen: [Double] = []
    var position = middle
    var direction = 1.0
    let step: Int64 = 5
    for second in stride(from: Int64(0), to: 86_400, by: Int(step)) {
      let now = Instant.zero + .seconds(second)
      let fix = Fix(
        latitude: border + position / metersPerDegree, longitude: 8.5, horizontalAccuracy: 3,
        time: UTCTime(secondsSince1970: 1_790_000_000) + (now - .zero))
      let coarse = place.fix(of: fix, at: now)
      if second % 900 == 0 {
        switch scheme {
        case .binnacle: seen.append((coarse.latitude - border) * metersPerDegree)
        case .naive: seen.append(position < 0 ? -cellMeters / 2 : cellMeters / 2)
        case .jitter: seen.append(position + (random.unit() - 0.5) * cellMeters)
        }
      }
      position += direction * Double(step) * (6 + 8 * random.unit())
      if abs(position - middle) > reach {
        position = middle + direction * reach
        direction = -direction
      }
    }
    return seen
  }

  /// The smallest error of the three methods.
  private static func attack(
    _ scheme: Scheme, middle: Double, reach: Double, random: inout Random
  ) -> Finding {
    let seen = places(scheme, middle: middle, reach: reach, random: &random)
    var estimates = [seen.reduce(0, +) / Double(seen.count)]
    if scheme != .jitter {
      let margin = scheme == .naive ? 0 : marginMeters
      let halfWidth = cellMeters / 2 + margin + reach
      let low = (seen.max() ?? 0) - halfWidth
      let high = (seen.min() ?? 0) + halfWidth
      estimates.append((low + high) / 2)
      let share = Double(seen.count { $0 > 0 }) / Double(seen.count)
      if share > 0, share < 1 { estimates.append((2 * share - 1) * reach) }
    }
    let across = estimates.map { abs($0 - middle) }.min() ?? 0
    // Along the border the board is between the middle of the cell and its edge.
    let along = scheme == .jitter ? across : cellMeters / 4
    return Finding(across: across, total: (across * across + along * along).squareRoot())
  }

  /// The mean over middles at and beside the border.
  private static func attack(_ scheme: Scheme, reach: Double) -> Finding {
    var random = Random(seed: 11)
    let middles = stride(from: -80.0, through: 80, by: 20)
    let findings = middles.map { attack(scheme, middle: $0, reach: reach, random: &random) }
    let count = Double(findings.count)
    return Finding(
      across: findings.map(\.across).reduce(0, +) / count,
      total: findings.map(\.total).reduce(0, +) / count)
  }

  @Test func aDayOfDrivingNearABorderDoesNotRevealThePlace() {
    print("a day near a border of the grid: error of an app's best estimate, in meters")
    for reach in [200.0, 400, 800, 1_600] {
      for scheme in Scheme.allCases {
        let found = CoarseAttackTests.attack(scheme, reach: reach)
        print(
          "  \(Int(reach)) m to each side, \(scheme.rawValue):",
          "\(Int(found.across.rounded())) across the border, \(Int(found.total.rounded())) in all")
        switch scheme {
        case .binnacle where reach < 450: #expect(found.across > 2_400)
        // A way that crosses the border by more than the margin on both sides shows this fact.
        case .binnacle: #expect(found.total > 1_200)
        case .naive where reach < 450: #expect(found.across < 60)
        case .naive: #expect(found.across < 250)
        case .jitter: #expect(found.across < 250)
        }
      }
    }
  }
}
