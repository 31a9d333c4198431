import BinnacleBasics
public import BinnacleModel

/// The formats of a sky in `binnacle sky`.
public struct SkyText {
  private let sky: Sky
  /// The satellites by constellation, with the strongest signal first.
  public let satellites: [Satellite]

  public init(_ sky: Sky) {
    self.sky = sky
    satellites = sky.satellites.sorted { left, right in
      SkyText.order(left) < SkyText.order(right)
    }
  }

  private static func order(_ satellite: Satellite) -> (UInt8, Int, Int, Int) {
    (
      satellite.constellation.rawValue, -(satellite.carrierToNoiseDBHz ?? 0),
      satellite.number ?? Int.max, satellite.elevationDegrees ?? 0
    )
  }

  // MARK: For people

  /// A line per satellite, a summary, and the time, in at most 80 columns.
  public var table: String {
    var lines: [String] = []
    if satellites.isEmpty {
      lines.append("The receiver lists no satellites.")
    } else {
      lines.append(SkyText.header)
      lines += satellites.map(SkyText.row)
    }
    lines.append(summary)
    if let time = sky.time { lines.append("seen at \(time.rfc3339(fractionDigits: 0))") }
    return lines.joined(separator: "\n")
  }

  private static let header =
    padded("satellite", 12) + leading("elevation", 10) + leading("azimuth", 9) + "  "
    + padded("signal dB-Hz", 21) + "  " + padded("used", 6) + "health"

  private static func row(_ satellite: Satellite) -> String {
    let name =
      padded(satellite.constellation.name, 8)
      + leading(satellite.number.map(String.init) ?? "?", 4)
    let elevation = leading(satellite.elevationDegrees.map { "\($0)" } ?? "-", 10)
    let azimuth = leading(satellite.azimuthDegrees.map { "\($0)" } ?? "-", 9)
    let level = leading(satellite.carrierToNoiseDBHz.map { "\($0)" } ?? "-", 6)
    let health =
      switch satellite.health {
      case .healthy: "ok"
      case .unhealthy: "bad"
      case nil: ""
      }
    let row =
      name + elevation + azimuth + level + "  " + padded(bar(satellite.carrierToNoiseDBHz), 15)
      + "  " + padded(satellite.isUsed ? "yes" : "no", 6) + health
    return String(row.reversed().drop { $0 == " " }.reversed())
  }

  /// One character per 4 dB-Hz, so that 60 dB-Hz, more than any receiver reports, are 15 columns.
  private static func bar(_ level: Int?) -> String {
    String(repeating: "#", count: level.map { min(15, ($0 + 3) / 4) } ?? 0)
  }

  /// Text such as `40 in view, 23 used, HDOP 0.63, VDOP 0.90, PDOP 1.09`.
  public var summary: String {
    let dilutions = [
      ("HDOP", sky.horizontalDilution), ("VDOP", sky.verticalDilution),
      ("PDOP", sky.positionDilution),
    ]
    let words = dilutions.map { name, factor in
      "\(name) \(factor.map(SkyText.hundredths) ?? "unknown")"
    }
    return "\(satellites.count) in view, \(sky.usedCount) used, "
      + words.joined(separator: ", ")
  }

  private static func hundredths(_ factor: Double) -> String {
    let count = Int((min(max(factor, 0), 1e6) * 100).rounded())
    let rest = count % 100
    return "\(count / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func leading(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// The summary, and each satellite's signal without the satellite's number and direction.
  public var signals: [(name: String, value: String)] {
    let rows = satellites.map { satellite in
      let level = satellite.carrierToNoiseDBHz.map { "\($0) dB-Hz" } ?? "no signal"
      return (satellite.constellation.name, level + (satellite.isUsed ? ", used" : ""))
    }
    return [("all", summary)] + rows
  }

  // MARK: For programs

  /// One JSON object; `Docs/SPEC-json.md` has its keys.
  public var json: String {
    var object = JSONObject()
    if let time = sky.time { object.add("timestamp", time.rfc3339(fractionDigits: 3)) }
    object.add("satellites_in_view", Int64(satellites.count))
    object.add("satellites_used", Int64(sky.usedCount))
    if let factor = sky.horizontalDilution { object.add("hdop", factor) }
    if let factor = sky.verticalDilution { object.add("vdop", factor) }
    if let factor = sky.positionDilution { object.add("pdop", factor) }
    object.add("satellites", satellites.map(SkyText.object))
    return object.text
  }

  private static func object(_ satellite: Satellite) -> JSONObject {
    var object = JSONObject()
    object.add("constellation", satellite.constellation.name)
    if let number = satellite.number { object.add("number", Int64(number)) }
    if let degrees = satellite.elevationDegrees { object.add("elevation_deg", Int64(degrees)) }
    if let degrees = satellite.azimuthDegrees { object.add("azimuth_deg", Int64(degrees)) }
    if let level = satellite.carrierToNoiseDBHz { object.add("signal_dbhz", Int64(level)) }
    object.add("used", satellite.isUsed)
    switch satellite.health {
    case .healthy: object.add("healthy", true)
    case .unhealthy: object.add("healthy", false)
    case nil: break
    }
    return object
  }
}
