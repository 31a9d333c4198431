import BinnacleModel
import BinnacleText

/// The signals of satellites as columns, side by side by constellation.
///
/// `#` is a satellite that the position uses, `:` one that it does not use, `.` one without a signal.
struct SkyBars {
  /// The strength of a full column: few receivers report more.
  private static let levelMax = 50
  private static let axisWidth = 3

  private struct Group {
    let name: String
    let satellites: [Satellite]
    /// The satellites that have room; the strongest are first.
    var shownCount: Int

    var width: Int { max(shownCount, name.count) + 1 }
  }

  private var groups: [Group] = []

  /// - Parameters:
  ///   - satellites: the satellites by constellation, the strongest first.
  ///   - columns: the width of the picture.
  init(_ satellites: [Satellite], columns: Int) {
    for satellite in satellites {
      if groups.last?.satellites.first?.constellation == satellite.constellation { continue }
      let own = satellites.filter { $0.constellation == satellite.constellation }
      groups.append(
        Group(name: satellite.constellation.name, satellites: own, shownCount: own.count))
    }
    let room = columns - SkyBars.axisWidth
    while groups.reduce(0, { $0 + $1.width }) > room, shrink() {}
  }

  /// Leaves the weakest satellite of the widest group out; false if no group can be narrower.
  private mutating func shrink() -> Bool {
    let wide = groups.indices.filter { groups[$0].shownCount > groups[$0].name.count }
    guard let widest = wide.max(by: { groups[$0].shownCount < groups[$1].shownCount }) else {
      return false
    }
    groups[widest].shownCount -= 1
    return true
  }

  /// The picture: `height` rows of columns, and a row of names.
  func lines(height: Int) -> [[StyledText]] {
    var lines: [[StyledText]] = []
    for row in 0..<height {
      // A column reaches a row when its level is more than the row's lower edge.
      let edge = (height - 1 - row) * SkyBars.levelMax / height
      var texts = [StyledText(row == 0 ? "50 " : row == height - 1 ? " 0 " : "   ")]
      for group in groups {
        for satellite in group.satellites.prefix(group.shownCount) {
          texts.append(SkyBars.mark(satellite, edge: edge, isLowest: row == height - 1))
        }
        texts.append(StyledText(String(repeating: " ", count: group.width - group.shownCount)))
      }
      lines.append(texts)
    }
    let names = groups.map { $0.name + String(repeating: " ", count: $0.width - $0.name.count) }
    lines.append([StyledText("   " + names.joined())])
    return lines
  }

  private static func mark(_ satellite: Satellite, edge: Int, isLowest: Bool) -> StyledText {
    guard let level = satellite.carrierToNoiseDBHz, level > edge else {
      return StyledText(isLowest ? "." : " ")
    }
    return satellite.isUsed ? StyledText("#", .good) : StyledText(":")
  }
}
