import BinnacleBasics

/// The satellites above a simulated receiver.
extension Navigator {
  static func constellation(
    of systems: [SatelliteSystem], random: inout Random
  ) -> [Satellite] {
    var satellites: [Satellite] = []
    for system in systems {
      var number: UInt8 = 1
      // With this number an epoch of all sentences just fits a line of 9600 baud, as on real modules.
      for _ in 0..<(systems.count == 1 ? 10 : system == .gps ? 8 : systems.count == 2 ? 7 : 4) {
        number += UInt8(1 + random.unit() * 2.4)
        satellites.append(
          Satellite(
            system: system, number: number, elevation: Int8(5 + random.unit() * 80),
            azimuth: Int16(random.unit() * 360), signal: 0, isUsed: false))
      }
    }
    return satellites
  }

  /// The receiver tracks and uses the highest satellites, and knows the other satellites from the almanac.
  mutating func satellites(
    usable: Int, isUsed: Bool, visibility: Double
  ) -> [Satellite] {
    let heard = usable
    var order = Array(constellation.indices)
    order.sort {
      (constellation[$0].elevation, $0) > (constellation[$1].elevation, $1)
    }
    var result = constellation
    for (rank, index) in order.enumerated() {
      guard rank < heard else { continue }
      let level = 22 + Double(result[index].elevation) / 4 + 2 * random.normal()
      result[index].signal = UInt8(max(8, min(52, level - 6 * (1 - visibility))))
      result[index].isUsed = isUsed
    }
    return result
  }
}
