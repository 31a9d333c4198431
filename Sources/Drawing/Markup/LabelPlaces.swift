/// Finds places for labels that do not cover each other.
struct LabelPlaces {
  private struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    func overlaps(_ other: Box) -> Bool {
      x < other.x + other.width && other.x < x + width && y < other.y + other.height
        && other.y < y + height
    }
  }

  private let size: PlanePoint
  private var taken: [Box] = []
  /// Points of lines, which a label covers only where there is no other place.
  private var lines: [PlanePoint] = []

  init(_ size: PlanePoint) { self.size = size }

  /// Keeps labels away from a symbol.
  mutating func avoid(_ place: PlanePoint, radius: Double) {
    taken.append(
      Box(x: place.x - radius, y: place.y - radius, width: 2 * radius, height: 2 * radius))
  }

  /// Keeps labels away from a line where possible.
  mutating func avoid(line: [PlanePoint]) { lines += line }

  /// The start of the base line of a label beside a symbol; nil if there is no room.
  mutating func place(
    _ text: String, size letters: Double, beside point: PlanePoint, radius: Double
  ) -> PlanePoint? {
    let width = SVGCanvas.width(of: text, size: letters)
    let (height, gap) = (letters + 2, radius + 3)
    let corners = [
      PlanePoint(x: point.x + gap, y: point.y - height / 2),
      PlanePoint(x: point.x - gap - width, y: point.y - height / 2),
      PlanePoint(x: point.x - width / 2, y: point.y - gap - height),
      PlanePoint(x: point.x - width / 2, y: point.y + gap),
      PlanePoint(x: point.x + gap * 0.7, y: point.y - gap * 0.7 - height),
      PlanePoint(x: point.x + gap * 0.7, y: point.y + gap * 0.7),
      PlanePoint(x: point.x - gap * 0.7 - width, y: point.y - gap * 0.7 - height),
      PlanePoint(x: point.x - gap * 0.7 - width, y: point.y + gap * 0.7),
    ]
    let free = corners.filter { corner in
      !lines.contains { point in
        (corner.x - 2...corner.x + width + 2).contains(point.x)
          && (corner.y - 2...corner.y + height + 2).contains(point.y)
      }
    }
    for corner in free + corners {
      let box = Box(x: corner.x, y: corner.y, width: width, height: height)
      guard corner.x >= 2, corner.y >= 2, corner.x + width <= size.x - 2,
        corner.y + height <= size.y - 2, !taken.contains(where: { $0.overlaps(box) })
      else { continue }
      taken.append(box)
      return PlanePoint(x: corner.x, y: corner.y + letters * 0.86)
    }
    return nil
  }
}
