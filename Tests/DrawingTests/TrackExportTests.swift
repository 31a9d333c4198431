import BinnacleGeodesy
import Foundation
import Testing

@testable import Drawing

/// The documents of a track as other programs read them.
struct TrackExportTests {
  private static let zurich = GeographicPoint(latitude: 47.4, longitude: 8.5)

  private func document(
    _ format: TrackFormat, _ samples: [TrackSample], marks: [TrackSample] = []
  ) -> String {
    var export = TrackExport(format, creator: "<&\"'>")
    var text = export.begin()
    for mark in marks { text += export.addMark(mark) }
    for sample in samples { text += export.add(sample) }
    return text + export.end()
  }

  private func line(_ count: Int, from start: GeographicPoint = zurich, gapAt gap: Int? = nil)
    -> [TrackSample]
  {
    (0..<count).map { number in
      let point = Geodesic.direct(
        from: start, azimuth: 90, distanceMeters: Double(number) * 10
      ).point
      let late: Int64 = number >= gap ?? .max ? 3_600_000 : 0
      var sample = DrawnTrack.sample(Int64(number) * 1_000 + late, point)
      sample.altitudeCentimeters = 40_812
      sample.heightCentimeters = 45_555
      sample.courseDecidegrees = 905
      return sample
    }
  }

  private func json(_ text: String) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(object?["features"] as? [[String: Any]])
  }

  private func parses(_ text: String) -> Bool {
    XMLCheck.parses(text)
  }

  private func count(_ part: String, in text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  @Test func eachLegIsASegmentAFeatureAndAPlacemark() throws {
    let samples = line(30, gapAt: 20)
    let gpx = document(.gpx, samples)
    #expect(parses(gpx))
    #expect(count("<trkseg>", in: gpx) == 2 && count("<trkpt ", in: gpx) == 30)
    let kml = document(.kml, samples)
    #expect(parses(kml))
    #expect(count("<gx:Track>", in: kml) == 2)
    #expect(count("<when>", in: kml) == 30 && count("<gx:coord>", in: kml) == 30)
    #expect(kml.contains("<altitudeMode>absolute</altitudeMode>"))
    let features = try json(document(.geoJSON, samples))
    let lines = features.compactMap { $0["geometry"] as? [String: Any] }
    #expect(lines.map { $0["type"] as? String } == ["LineString", "LineString"])
    let positions = lines.map { $0["coordinates"] as? [[Double]] ?? [] }
    #expect(positions.map(\.count) == [20, 10])
    // Longitude, latitude, and the height over the ellipsoid.
    #expect(positions[0][0] == [8.5, 47.4, 455.55])
    let times = (features[1]["properties"] as? [String: Any])?["coordTimes"] as? [String]
    #expect(times?.first == "2026-11-21T11:15:20.000Z" && times?.count == 10)
  }

  @Test func aLineThatCrossesTheDateLineIsCutInGeoJSON() throws {
    let samples = line(40, from: GeographicPoint(latitude: -17, longitude: 179.9985))
    let features = try json(document(.geoJSON, samples))
    #expect(features.count == 1)
    let geometry = try #require(features[0]["geometry"] as? [String: Any])
    #expect(geometry["type"] as? String == "MultiLineString")
    let lines = try #require(geometry["coordinates"] as? [[[Double]]])
    #expect(lines.count == 2 && lines[0].count + lines[1].count == 42)
    #expect(lines[0].last?[0] == 180 && lines[1].first?[0] == -180)
    #expect(lines[0].last?[1] == lines[1].first?[1])
    for line in lines {
      #expect(zip(line, line.dropFirst()).allSatisfy { abs($0[0] - $1[0]) < 1 })
    }
    let times = (features[0]["properties"] as? [String: Any])?["coordTimes"] as? [[String]]
    #expect(times?.map(\.count) == lines.map(\.count))
  }

  @Test func aLongLegIsWrittenInPiecesWithoutAHole() throws {
    let samples = line(25_000)
    let features = try json(document(.geoJSON, samples))
    let lines = features.compactMap {
      ($0["geometry"] as? [String: Any])?["coordinates"] as? [[Double]]
    }
    #expect(lines.map(\.count) == [10_000, 10_000, 5_002])
    #expect(lines[0].last == lines[1].first && lines[1].last == lines[2].first)
    #expect(count("<when>", in: document(.kml, samples)) == 25_002)
    #expect(count("<trkpt ", in: document(.gpx, samples)) == 25_000)
  }

  @Test func aTrackWithoutDatesHasNoTimes() throws {
    let samples = line(5).map { sample in
      var sample = sample
      sample.timeMilliseconds = nil
      return sample
    }
    let gpx = document(.gpx, samples)
    #expect(parses(gpx) && !gpx.contains("<time>"))
    let kml = document(.kml, samples)
    #expect(parses(kml) && kml.contains("<LineString>") && !kml.contains("<when>"))
    let features = try json(document(.geoJSON, samples))
    #expect((features[0]["properties"] as? [String: Any])?["coordTimes"] == nil)
  }

  @Test func marksComeFirstAndASinglePositionIsAPoint() throws {
    var mark = line(1)[0]
    mark.isMark = true
    let gpx = document(.gpx, line(1), marks: [mark])
    #expect(parses(gpx))
    #expect(gpx.contains("<wpt ") && gpx.contains("<name>mark</name>"))
    let features = try json(document(.geoJSON, line(1), marks: [mark]))
    let types = features.map { ($0["geometry"] as? [String: Any])?["type"] as? String }
    #expect(types == ["Point", "Point"])
    #expect((features[0]["properties"] as? [String: Any])?["name"] as? String == "mark")
  }

  @Test(arguments: [TrackFormat.gpx, .kml, .geoJSON])
  func anEmptyTrackIsAWholeDocument(format: TrackFormat) throws {
    let text = document(format, [])
    if format == .geoJSON {
      #expect(try json(text).isEmpty)
    } else {
      #expect(parses(text))
      #expect(text.contains("&lt;&amp;&quot;&#39;&gt;"))
    }
  }
}
