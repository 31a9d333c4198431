import BinnacleModel
import BinnacleText
import Testing

@testable import LiveView

struct SkyBarsTests {
  private func picture(_ satellites: [Satellite], columns: Int, height: Int) -> [String] {
    SkyBars(SkyText(Sky(satellites: satellites)).satellites, columns: columns)
      .lines(height: height).map { $0.map(\.text).joined() }
  }

  @Test func satellitesStandByConstellationWithTheStrongestFirst() {
    #expect(
      picture(SampleBoard.sky.satellites, columns: 71, height: 5) == [
        "50 ####      ###     #      #       ",
        "   ######    #####   ##     ###     ",
        "   ######:   #####   ##     ###:    ",
        "   ######::  #####   ##:    ###:    ",
        " 0 ######::. #####.  ##:.   ###:.   ",
        "   GPS       Galileo BeiDou GLONASS ",
      ])
  }

  @Test func aNarrowPictureLeavesTheWeakestOut() {
    for columns in 1...60 {
      let lines = picture(SampleBoard.sky.satellites, columns: columns, height: 3)
      #expect(lines.count == 4)
      #expect(columns < 34 || lines.allSatisfy { $0.count <= columns })
      #expect(lines[2].contains("#"))
    }
  }

  @Test func manySatellitesFit() {
    let many = (0..<Sky.satellitesMax).map {
      Satellite(
        constellation: Satellite.Constellation.allCases[$0 % 8], number: $0,
        carrierToNoiseDBHz: $0 % 60, isUsed: $0 % 3 == 0)
    }
    let lines = picture(many, columns: 71, height: 8)
    #expect(lines.allSatisfy { $0.count <= 71 })
    #expect(lines.last?.contains("GLONASS") == true)
  }
}
