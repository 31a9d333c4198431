/// Finds the known word that a misspelled word probably stands for.
public enum Spelling {
  /// The candidate that is nearest to a word; nil when no candidate is near enough.
  ///
  /// Upper and lower case count as equal; one change in three characters is near enough.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased().prefix(lengthMax))
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(letters, Array(candidate.lowercased().prefix(lengthMax)))
      if distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, letters.count / 3) else { return nil }
    return best.candidate
  }

  /// How many letters must be changed, put in, taken out or swapped with their neighbor.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var line = [row + 1]
      for column in 0..<right.count {
        let change = left[row] == right[column] ? 0 : 1
        var cost = min(last[column] + change, last[column + 1] + 1, line[column] + 1)
        let isSwap =
          row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
        if isSwap { cost = min(cost, beforeLast[column - 1] + 1) }
        line.append(cost)
      }
      beforeLast = last
      last = line
    }
    return last[right.count]
  }

  private static let lengthMax = 64
}
