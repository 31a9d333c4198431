/// The file formats of a track.
public enum TrackFormat: Sendable {
  case gpx
  case kml
  case geoJSON
}

/// Writes a track as a document piece by piece: each call returns the bytes to write next.
///
/// Marks are given before the points, because GPX has waypoints before tracks. The memory for an export is bounded,
/// whatever the length of the track.
public struct TrackExport {
  private var writer: any TrackDocument

  /// - Parameters:
  ///   - format: the file format.
  ///   - creator: the program and its version.
  public init(_ format: TrackFormat, creator: String) {
    writer =
      switch format {
      case .gpx: GPXDocument(creator: creator)
      case .kml: KMLDocument(creator: creator)
      case .geoJSON: GeoJSONDocument()
      }
  }

  public mutating func begin() -> String { writer.begin() }

  /// Writes a marked position; only before the first point.
  public mutating func addMark(_ mark: TrackSample) -> String {
    mark.isOnEarth ? writer.addMark(mark) : ""
  }

  /// Writes a point; a mark or an impossible position is left out.
  public mutating func add(_ sample: TrackSample) -> String {
    sample.isOnEarth && !sample.isMark ? writer.add(sample) : ""
  }

  public mutating func end() -> String { writer.end() }
}

/// One file format.
protocol TrackDocument {
  mutating func begin() -> String
  mutating func addMark(_ mark: TrackSample) -> String
  mutating func add(_ sample: TrackSample) -> String
  mutating func end() -> String
}
