/// Fewer points for the same line: bounded for a drawing of any track.
enum LineSimplification {
  /// The most points of all lines of a drawing.
  static let pointsMax = 4_000

  /// The vertices of lines, of which consecutive ones are at least a distance apart; the distance grows until few enough are
  /// left.
  ///
  /// - Parameters:
  ///   - lines: the lines, in the units of the drawing.
  ///   - least: the smallest distance that is visible.
  /// - Returns: the indices of the vertices that stay, for each line; each line keeps its ends.
  static func spaced(_ lines: [[PlanePoint]], atLeast least: Double) -> [[Int]] {
    var distance = least
    while true {
      let kept = lines.map { spaced($0, distance) }
      if kept.reduce(0, { $0 + $1.count }) <= max(pointsMax, 2 * lines.count) || distance > 1e6 {
        return kept
      }
      distance *= 1.5
    }
  }

  private static func spaced(_ line: [PlanePoint], _ distance: Double) -> [Int] {
    guard line.count > 2 else { return Array(line.indices) }
    var kept = [0]
    for index in 1..<line.count - 1 {
      let last = line[kept[kept.count - 1]]
      if line[index].squaredDistance(to: last) >= distance * distance { kept.append(index) }
    }
    kept.append(line.count - 1)
    return kept
  }

  /// The indices of the points without those that a straight line passes within a tolerance (Douglas and Peucker).
  static func straightened(_ line: [PlanePoint], tolerance: Double) -> [Int] {
    guard line.count > 2 else { return Array(line.indices) }
    var isKept = Array(repeating: false, count: line.count)
    isKept[0] = true
    isKept[line.count - 1] = true
    var open = [(0, line.count - 1)]
    while let (first, last) = open.popLast() {
      var farthest = (index: first, distance: tolerance * tolerance)
      for index in first + 1..<last {
        let distance = squaredDistance(of: line[index], from: line[first], line[last])
        if distance > farthest.distance { farthest = (index, distance) }
      }
      guard farthest.index != first else { continue }
      isKept[farthest.index] = true
      if farthest.index - first > 1 { open.append((first, farthest.index)) }
      if last - farthest.index > 1 { open.append((farthest.index, last)) }
    }
    return line.indices.filter { isKept[$0] }
  }

  private static func squaredDistance(
    of point: PlanePoint, from start: PlanePoint, _ end: PlanePoint
  ) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    guard length > 0 else { return point.squaredDistance(to: start) }
    let part = min(max(((point.x - start.x) * dx + (point.y - start.y) * dy) / length, 0), 1)
    return point.squaredDistance(to: PlanePoint(x: start.x + part * dx, y: start.y + part * dy))
  }
}
