/// GeoJSON (RFC 7946): a collection with a feature for each leg.
///
/// A line that crosses the date line is cut there (section 3.1.9). The third number of a position is the height over the
/// ellipsoid (section 4), where all positions of the leg have it. The standard has no times: the lists `coordTimes`,
/// `coordSpeeds` and `coordAltitudes` (over mean sea level) have an entry for each position, in its order, also for the two
/// positions of a cut.
struct GeoJSONDocument: TrackDocument {
  private var piece = LegPiece()
  private var isEmpty = true

  mutating func begin() -> String { "{\"type\":\"FeatureCollection\",\"features\":[\n" }

  mutating func addMark(_ mark: TrackSample) -> String {
    feature(
      geometry: "{\"type\":\"Point\",\"coordinates\":\(GeoJSONDocument.position(mark))}",
      properties: ["\"name\":\"mark\""]
        + (GeoJSONDocument.time(mark).map { ["\"time\":\($0)"] } ?? []))
  }

  mutating func add(_ sample: TrackSample) -> String {
    piece.add(sample).map { write($0) } ?? ""
  }

  mutating func end() -> String { (piece.end().map { write($0) } ?? "") + "\n]}\n" }

  private mutating func write(_ samples: [TrackSample]) -> String {
    let hasHeight = samples.allSatisfy { $0.heightCentimeters != nil }
    func list(_ part: [TrackSample]) -> String {
      "[" + part.map { GeoJSONDocument.position($0, hasHeight: hasHeight) }.joined(separator: ",\n")
        + "]"
    }
    let parts = GeoJSONDocument.cut(samples)
    // A line has two positions at least (section 3.1.4), so a position alone is a point, or is twice in the line.
    let lines = parts.map { $0.count == 1 && samples.count > 1 ? [$0[0], $0[0]] : $0 }
    let geometry =
      if samples.count == 1 {
        "{\"type\":\"Point\",\"coordinates\":\(GeoJSONDocument.position(samples[0], hasHeight: hasHeight))}"
      } else if lines.count == 1 {
        "{\"type\":\"LineString\",\"coordinates\":\(list(lines[0]))}"
      } else {
        "{\"type\":\"MultiLineString\",\"coordinates\":[\(lines.map(list).joined(separator: ","))]}"
      }
    return feature(geometry: geometry, properties: GeoJSONDocument.properties(lines))
  }

  private mutating func feature(geometry: String, properties: [String]) -> String {
    defer { isEmpty = false }
    return (isEmpty ? "" : ",\n")
      + "{\"type\":\"Feature\",\"properties\":{\(properties.joined(separator: ","))},\"geometry\":\(geometry)}"
  }

  /// The lists that belong to the positions, of what any position has.
  private static func properties(_ lines: [[TrackSample]]) -> [String] {
    func list(_ name: String, _ value: (TrackSample) -> String?) -> String? {
      guard lines.joined().contains(where: { value($0) != nil }) else { return nil }
      let parts = lines.map { line in
        "[" + line.map { value($0) ?? "null" }.joined(separator: ",") + "]"
      }
      return "\"\(name)\":" + (parts.count == 1 ? parts[0] : "[\(parts.joined(separator: ","))]")
    }
    return [
      list("coordTimes", time),
      list("coordSpeeds") { $0.speedCentimetersPerSecond.map(DecimalParts.hundredths) },
      list("coordAltitudes") { $0.altitudeCentimeters.map(DecimalParts.hundredths) },
    ].compactMap { $0 }
  }

  private static func time(_ sample: TrackSample) -> String? {
    sample.time.map { "\"\($0.rfc3339(fractionDigits: 3))\"" }
  }

  private static func position(_ sample: TrackSample, hasHeight: Bool = false) -> String {
    var numbers = [
      DecimalParts.degrees(sample.longitudeE7), DecimalParts.degrees(sample.latitudeE7),
    ]
    if hasHeight, let height = sample.heightCentimeters {
      numbers.append(DecimalParts.hundredths(height))
    }
    return "[\(numbers.joined(separator: ","))]"
  }

  // MARK: The date line

  private static let halfTurn: Int64 = 1_800_000_000

  /// The lines that are left of a line after each cut at the date line.
  private static func cut(_ samples: [TrackSample]) -> [[TrackSample]] {
    var lines: [[TrackSample]] = [[]]
    for sample in samples {
      if let last = lines[lines.count - 1].last {
        let step = sample.longitudeE7 - last.longitudeE7
        if step.magnitude > UInt64(halfTurn) {
          let (before, after) = crossing(from: last, to: sample)
          lines[lines.count - 1].append(before)
          lines.append([after])
        }
      }
      lines[lines.count - 1].append(sample)
    }
    return lines
  }

  /// The crossing of the date line between two positions, on each side.
  private static func crossing(
    from last: TrackSample, to next: TrackSample
  ) -> (before: TrackSample, after: TrackSample) {
    let side: Int64 = last.longitudeE7 < 0 ? -1 : 1
    let toLine = (side * halfTurn - last.longitudeE7).magnitude
    let whole = toLine + (-side * halfTurn - next.longitudeE7).magnitude
    let part = whole == 0 ? 0 : Double(toLine) / Double(whole)
    func between(_ from: Int64?, _ to: Int64?) -> Int64? {
      guard let from, let to else { return nil }
      return from + Int64((Double(to - from) * part).rounded())
    }
    var before = last
    before.latitudeE7 = between(last.latitudeE7, next.latitudeE7) ?? last.latitudeE7
    before.timeMilliseconds = between(last.timeMilliseconds, next.timeMilliseconds)
    before.heightCentimeters = between(last.heightCentimeters, next.heightCentimeters)
    before.altitudeCentimeters = between(last.altitudeCentimeters, next.altitudeCentimeters)
    before.longitudeE7 = side * halfTurn
    var after = before
    after.longitudeE7 = -side * halfTurn
    return (before, after)
  }
}
