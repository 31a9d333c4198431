import BinnacleBasics
import BinnacleModel
import Foundation
import TestSupport
import Testing

@testable import Drawing

struct SkyPictureTests {
  private static let sky = Sky(
    time: UTCTime(secondsSince1970: 1_763_700_000), horizontalDilution: 0.63,
    satellites: [
      Satellite(
        constellation: .gps, number: 29, elevationDegrees: 0, azimuthDegrees: 90,
        carrierToNoiseDBHz: 55, isUsed: true, health: .healthy),
      Satellite(
        constellation: .galileo, number: 3, elevationDegrees: 45, azimuthDegrees: 180,
        carrierToNoiseDBHz: 20),
      Satellite(constellation: .sbas, number: 131, health: .unhealthy),
      Satellite(constellation: .glonass, number: nil, elevationDegrees: -9, azimuthDegrees: 0),
    ])

  @Test func satellitesLieInTheirDirections() throws {
    let center = PlanePoint(x: 100, y: 100)
    func place(_ index: Int) throws -> PlanePoint {
      try #require(SkyPicture.place(Self.sky.satellites[index], center, 90))
    }
    #expect(try place(0).distance(to: PlanePoint(x: 190, y: 100)) < 1e-9)
    #expect(try place(1).distance(to: PlanePoint(x: 100, y: 145)) < 1e-9)
    #expect(try place(3).distance(to: PlanePoint(x: 100, y: 10)) < 1e-9)
    #expect(SkyPicture.place(Self.sky.satellites[2], center, 90) == nil)
  }

  @Test func usedSatellitesAreFilledAndOthersAreOutlines() {
    let document = SkyPicture(Self.sky).figure.document
    #expect(document.contains("<circle class=\"c0\""))
    #expect(document.contains("<circle class=\"o2\""))
    #expect(
      !document.contains("<circle class=\"o0\"") && !document.contains("<circle class=\"c2\""))
    for name in [">G29<", ">E3<", ">S31<", ">R?<", ">no signal<", ">unhealthy<", ">not used<"] {
      #expect(document.contains(name), "\(name)")
    }
    #expect(document.contains("4 in view, 1 used, HDOP 0.63"))
  }

  @Test func barsAreAsLongAsTheSignalsAreStrong() throws {
    let document = SkyPicture(Self.sky).figure.document
    func width(_ kind: String) throws -> Double {
      // The last rectangle of the class before the legend is the bar.
      let part = try #require(
        document.components(separatedBy: "<rect class=\"\(kind)\"").dropFirst().first)
      let text = try #require(part.text(from: "width=\"", to: "\""))
      return try #require(Double(text))
    }
    #expect(abs(try width("c0") / (try width("o2")) - 55.0 / 20) < 0.01)
  }

  @Test(arguments: [900.0, 400])
  func manySatellitesAtOnePlaceKeepTheirSymbolsApart(width: Double) {
    let satellites = (1...40).map {
      Satellite(
        constellation: .beidou, number: $0, elevationDegrees: 60, azimuthDegrees: 10,
        carrierToNoiseDBHz: 30)
    }
    let document = SkyPicture(Sky(satellites: satellites), width: width).figure.document
    let places = document.components(separatedBy: "<circle class=\"o3\" ").dropFirst().map {
      $0.components(separatedBy: " r=").first ?? ""
    }
    #expect(places.count == 40 && Set(places).count == 40)
  }

  @Test func anEmptySkyIsADrawing() {
    #expect(SkyPicture(Sky()).figure.document.contains("The receiver lists no satellites."))
  }
}
