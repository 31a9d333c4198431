import BinnacleBasics
import BinnacleModel

/// The sentences of satellites: GSA for those that take part in the position, GSV for those in view.
///
/// Field order and meaning: NMEA 0183 version 4.10, section 6.3; u-blox M10 SPG 5.10 interface description (UBX-21035062),
/// sections "GSA" and "GSV". A satellite without a number of NMEA 0183 is in no sentence: an unidentified GLONASS satellite,
/// IMES, and SBAS above 151.
struct SentenceSatellites {
  private let sky: Sky?
  private let groups: [Group]

  /// The satellites of one system, SBAS with GPS, used ones first.
  private struct Group {
    let system: Satellite.Constellation
    let satellites: [(id: Int, satellite: Satellite)]
  }

  /// A GSA sentence has 12 places.
  private static let usedMax = 12
  private static let satellitesPerSentence = 4
  /// GSV numbers its sentences with one digit.
  private static let sentencesMax = 9
  private static let systems: [Satellite.Constellation] = [
    .gps, .glonass, .galileo, .beidou, .qzss, .navic,
  ]

  /// - Parameter sky: the satellites; nil when they are unknown.
  init(_ sky: Sky?) {
    self.sky = sky
    let numbered = (sky?.satellites ?? []).compactMap { satellite in
      satellite.nmeaID.map { (id: $0, satellite: satellite) }
    }
    groups = SentenceSatellites.systems.compactMap { system in
      let own = numbered.filter { $0.satellite.constellation.systemID == system.systemID }
      let satellites = own.filter(\.satellite.isUsed) + own.filter { !$0.satellite.isUsed }
      return satellites.isEmpty ? nil : Group(system: system, satellites: satellites)
    }
  }

  /// Automatic, dimension (1 none, 2, 3), twelve satellites, dilutions of position, horizontal, vertical, system.
  ///
  /// - Returns: a sentence for each system that takes part in the position; one without satellites when no system does.
  func gsa(talker: String, dimension: Int) -> [Sentence] {
    let used = groups.filter { $0.satellites.contains(where: \.satellite.isUsed) }
    if dimension == 1 || used.isEmpty { return [gsa(talker, dimension, [], .gps)] }
    return used.map { group in
      gsa(talker, dimension, group.satellites.filter(\.satellite.isUsed).map(\.id), group.system)
    }
  }

  private func gsa(
    _ talker: String, _ dimension: Int, _ ids: [Int], _ system: Satellite.Constellation
  ) -> Sentence {
    var sentence = Sentence(talker, "GSA")
    sentence.add("A", "\(dimension)")
    for place in 0..<SentenceSatellites.usedMax {
      sentence.add(place < ids.count ? SentenceSatellites.text(ids[place]) : nil)
    }
    for dilution in [sky?.positionDilution, sky?.horizontalDilution, sky?.verticalDilution] {
      sentence.add(dimension == 1 ? nil : dilution.map { DecimalText.fixed($0, places: 2) })
    }
    sentence.add(system.systemID.map { "\($0)" })
    return sentence
  }

  /// Sentences, number of this sentence, satellites in view, and for each of four: number, elevation, azimuth in degrees, C/N0
  /// in dBHz; signal 0, which stands for all signals.
  var gsv: [Sentence] {
    groups.flatMap { group in
      let listed = group.satellites.prefix(
        SentenceSatellites.sentencesMax * SentenceSatellites.satellitesPerSentence)
      let starts = Array(
        stride(
          from: listed.startIndex, to: listed.endIndex,
          by: SentenceSatellites.satellitesPerSentence))
      return starts.enumerated().map { number, start in
        var sentence = Sentence(group.system.talker ?? "GP", "GSV")
        sentence.add(
          "\(starts.count)", "\(number + 1)", SentenceSatellites.text(listed.count))
        for (id, satellite) in listed[start...].prefix(SentenceSatellites.satellitesPerSentence) {
          sentence.add(
            SentenceSatellites.text(id), satellite.elevationDegrees.map(SentenceSatellites.text),
            satellite.azimuthDegrees.map { DecimalText.padded($0, width: 3) },
            satellite.carrierToNoiseDBHz.map(SentenceSatellites.text))
        }
        sentence.add("0")
        return sentence
      }
    }
  }

  /// At least two digits; a negative elevation keeps its sign.
  private static func text(_ value: Int) -> String {
    (value < 0 ? "-" : "") + DecimalText.padded(Int(value.magnitude), width: 2)
  }
}
