import BinnaclePosix
import Board
import TestSupport

/// The table of wires in the comments of a shipped profile.
struct Wiring {
  struct Row: Equatable {
    var pin: Int
    /// The kernel's name of the line, or `3.3 V`, `5 V`, `GND`.
    var line: String
    /// The part that is wired to it, such as `receiver TX`.
    var uses: [String]

    var isPower: Bool { ["3.3 V", "5 V", "GND"].contains(line) }
  }

  let name: String
  let profile: Profile
  let rows: [Row]

  static let directory = TestData.packageRoot + "/boards"

  /// The shipped profiles that have such a table.
  static let names = [
    "orange-pi-zero-3", "radxa-zero-3", "raspberry-pi-3", "raspberry-pi-4", "raspberry-pi-5",
    "raspberry-pi-zero-2-w",
  ]

  init(name: String) throws {
    self.name = name
    let bytes = try Files.read(Wiring.directory + "/\(name).conf")
    profile = try Profile(parsing: bytes, file: name)
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.hasPrefix("# Wiring, by the pins") } ?? lines.endIndex
    rows = lines[start...].dropFirst().prefix { $0 != "#" }.compactMap { Wiring.row($0) }
  }

  /// `#    10  GPIO15  receiver TX`: columns with two blanks or more between them.
  private static func row(_ line: Substring) -> Row? {
    var columns = [""]
    for character in line.dropFirst().drop(while: { $0 == " " }) {
      if columns[columns.count - 1].hasSuffix("  "), character != " " { columns.append("") }
      columns[columns.count - 1].append(character)
    }
    columns = columns.map { column in
      String(column.reversed().drop { $0 == " " }.reversed())
    }
    guard columns.count == 3, let pin = Int(columns[0]) else { return nil }
    let uses = columns[2].split(separator: ",").map { String($0.drop { $0 == " " }) }
    return Row(pin: pin, line: columns[1], uses: uses)
  }

  /// The lines that the profile names, and what its table must say of them.
  var claims: [(line: String, use: String)] {
    var claims: [(line: String, use: String)] = []
    func claim(_ line: String?, _ use: String) {
      if let line { claims.append((line, use)) }
    }
    claim(profile.receiver.txReady, "receiver TX-ready")
    claim(profile.receiver.extInt, "receiver EXTINT")
    claim(profile.accelerometer?.interrupt, "accelerometer INT")
    claim(profile.indicator?.line, "indicator")
    claim(profile.indicator?.sense, "indicator sense")
    claim(profile.statusLED?.line, "status LED")
    for button in profile.buttons { claim(button.line, "button \(button.name)") }
    return claims
  }
}
