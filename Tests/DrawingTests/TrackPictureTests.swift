import BinnacleGeodesy
import Foundation
import TestSupport
import Testing

@testable import Drawing

/// The drawing of a track against the track itself.
struct TrackPictureTests {
  private static let places = [
    GeographicPoint(latitude: 47.4, longitude: 8.5),
    GeographicPoint(latitude: -17, longitude: 180),
    GeographicPoint(latitude: 90, longitude: 0),
    GeographicPoint(latitude: -89.9999, longitude: 77),
  ]

  /// The vertices of the drawn lines in meters.
  private func vertices(_ picture: TrackPicture) throws -> [PlanePoint] {
    let figure = picture.figure
    let scale = try #require(DrawnTrack.fact("meters-per-unit", figure))
    let plot = try #require(figure.document.components(separatedBy: "<g class=\"line\">").last)
    let lines = try #require(plot.components(separatedBy: "</g>").first)
    return lines.components(separatedBy: "points=\"").dropFirst().flatMap { part in
      (part.components(separatedBy: "\"").first ?? "").split(separator: " ").map { pair in
        let numbers = pair.split(separator: ",").compactMap { Double($0) }
        return PlanePoint(x: numbers[0] * scale, y: numbers[1] * scale)
      }
    }
  }

  /// The distance of the two vertices that are farthest apart, in meters.
  private func extent(_ picture: TrackPicture) throws -> Double {
    let vertices = try vertices(picture)
    let some = vertices.enumerated().filter { $0.offset % (1 + vertices.count / 1_000) == 0 }
      .map(\.element)
    return some.flatMap { vertex in some.map { vertex.distance(to: $0) } }.max() ?? 0
  }

  @Test(arguments: [0, 1, 2, 3])
  func aSquareOfAKilometerIsDrawnAsSuchAlsoAtTheDateLineAndAtThePoles(place: Int) throws {
    let picture = TrackPicture(DrawnTrack.square(around: Self.places[place]))
    let diagonal = try extent(picture)
    #expect(abs(diagonal - 1_414.2) < 3, "\(diagonal)")
    #expect(abs(picture.shape.lengthMeters - 3_990) < 5)
    #expect(picture.shape.gaps.isEmpty)
  }

  @Test func theScaleBarHasTheLengthThatItNames() throws {
    let figure = TrackPicture(DrawnTrack.square(around: Self.places[0])).figure
    let scale = try #require(DrawnTrack.fact("meters-per-unit", figure))
    let text = figure.document
    #expect(text.contains(">200 m</text>"))
    // The bar is the horizontal line that ends before the label.
    let bar = try #require(
      text.components(separatedBy: "\n").first { line in
        line.hasPrefix("<line class=\"rule\" x1=\"16\"") && !line.contains("x2=\"16\"")
      })
    let end = try #require(bar.text(from: "x2=\"", to: "\""))
    let length = (try #require(Double(end)) - 16) * scale
    #expect(abs(length - 200) < 1, "\(length)")
  }

  @Test func northIsAnArrowAndAtAPoleASentence() {
    let north = TrackPicture(DrawnTrack.square(around: Self.places[0])).figure.document
    #expect(north.contains(">north</text>") && !north.contains("pole"))
    let pole = TrackPicture(DrawnTrack.square(around: Self.places[2])).figure.document
    #expect(pole.contains(">north is towards the north pole</text>"))
    #expect(pole.contains(">north pole</text>"))
    let south = TrackPicture(DrawnTrack.square(around: Self.places[3])).figure.document
    #expect(south.contains(">north is away from the south pole</text>"))
  }

  @Test func anEmptyTrackAndASinglePositionAreDrawings() throws {
    let empty = TrackPicture(TrackCollection()).figure.document
    #expect(empty.contains("No positions"))
    #expect(!empty.contains("nan") && !empty.contains("inf"))
    var track = TrackCollection()
    track.add(DrawnTrack.sample(0, Self.places[0]))
    let one = TrackPicture(track).figure
    #expect(one.document.contains("only position"))
    let scale = try #require(DrawnTrack.fact("meters-per-unit", one))
    // The accuracy of 3 m is a circle of 3 m.
    let circle = try #require(one.document.text(from: "<circle class=\"acc\"", to: ">"))
    let radius = try #require(circle.text(from: " r=\"", to: "\""))
    #expect(abs(try #require(Double(radius)) * scale - 3) < 0.02)
  }

  @Test func aHundredThousandPositionsAreABoundedFileOfTheSameExtent() throws {
    var track = TrackCollection()
    for number in 0..<100_000 {
      let angle = Double(number) / 100_000 * 40 * .pi
      let distance = 20_000 + 3_000 * sin(angle * 7.3)
      let point = Geodesic.direct(
        from: Self.places[0], azimuth: angle * 180 / .pi, distanceMeters: distance
      ).point
      track.add(
        DrawnTrack.sample(
          Int64(number) * 1_000, point, accuracy: 200 + Int64(number % 700),
          speed: Int64(number * 37 % 3_000)))
    }
    let picture = TrackPicture(track)
    let document = picture.figure.document
    #expect(document.utf8.count < 500_000, "\(document.utf8.count)")
    #expect(picture.facts.contains("100000 positions"))
    let diameter = try extent(picture)
    #expect(abs(diameter - 46_000) < 800, "\(diameter)")
  }

  @Test func moreInterruptionsThanADrawingCanShowAreABoundedFile() {
    var track = TrackCollection()
    for number in 0..<20_000 {
      let point = Geodesic.direct(
        from: Self.places[0], azimuth: Double(number * 7 % 360),
        distanceMeters: Double(number * 13 % 9_000)
      ).point
      // Two positions a second apart, and then none for an hour.
      track.add(DrawnTrack.sample(Int64(number) * 3_600_000, point))
      track.add(DrawnTrack.sample(Int64(number) * 3_600_000 + 1_000, point))
    }
    let picture = TrackPicture(track)
    #expect(picture.shape.legs.count == 20_000)
    #expect(picture.figure.document.utf8.count < 700_000)
  }

  // MARK: Pauses, gaps, speeds

  @Test func anInterruptionAtOnePlaceIsAPauseAndAnotherOneAGap() {
    var track = TrackCollection()
    func at(_ second: Int64, _ distance: Double) {
      let point = Geodesic.direct(
        from: Self.places[0], azimuth: 90, distanceMeters: distance
      ).point
      track.add(DrawnTrack.sample(second * 1_000, point))
    }
    for second in 0..<60 { at(Int64(second), Double(second) * 5) }
    for second in 0..<60 { at(Int64(second) + 1_260, 300 + Double(second) * 5) }
    for second in 0..<60 { at(Int64(second) + 1_920, 2_000 + Double(second) * 5) }
    let picture = TrackPicture(track)
    #expect(picture.shape.pauses.map(\.seconds) == [1_201])
    #expect(picture.shape.gaps.map(\.seconds) == [601])
    let document = picture.figure.document
    #expect(document.contains(">20 min</text>"))
    #expect(document.contains("<line class=\"gap\""))
    #expect(picture.facts.contains("1 pause") && picture.facts.contains("1 gap"))
  }

  @Test func positionsThatStayForAMinuteAreAPauseAndDoNotCountAsWay() {
    var track = TrackCollection()
    for second in 0..<300 {
      // A wander of a meter.
      let point = Geodesic.direct(
        from: Self.places[0], azimuth: Double(second * 77 % 360), distanceMeters: 1
      ).point
      track.add(DrawnTrack.sample(Int64(second) * 1_000, point, speed: 10))
    }
    let shape = TrackShape(track)
    #expect(shape.pauses.map(\.seconds) == [299])
    #expect(shape.lengthMeters < 2)
  }

  @Test func speedsAreInClassesWithRoundBordersAndALegend() {
    let scale = SpeedScale([0, 3, 14.4])
    #expect(scale.step == 2.5 && scale.classCount == 6)
    #expect([0, 2.4, 2.5, 12.4, 99].map(scale.number) == [0, 0, 1, 4, 5])
    #expect((0..<6).map(scale.label).first == "0 to 2.5")
    #expect(scale.label(5) == "over 12.5")
    #expect(SpeedScale([]).classCount == 1)
    let document = TrackPicture(DrawnTrack.square(around: Self.places[0])).figure.document
    #expect(document.contains("speed, m/s") && document.contains("accuracy, 68 %"))
  }

  @Test func impossiblePositionsAreLeftOutAndCounted() {
    var track = TrackCollection()
    track.add(TrackSample(timeMilliseconds: 0, latitudeE7: 910_000_000, longitudeE7: 0))
    track.add(TrackSample(timeMilliseconds: 0, latitudeE7: 0, longitudeE7: .min))
    #expect(track.count == 0 && track.rejectedCount == 2)
  }

  @Test func labelsDoNotCoverEachOther() throws {
    var labels = LabelPlaces(PlanePoint(x: 200, y: 100))
    var found: [PlanePoint] = []
    for _ in 0..<20 {
      if let place = labels.place("12 min", size: 11, beside: PlanePoint(x: 100, y: 50), radius: 6)
      {
        found.append(place)
      }
    }
    #expect((3...8).contains(found.count))
    #expect(Set(found.map { "\($0.x) \($0.y)" }).count == found.count)
  }
}
