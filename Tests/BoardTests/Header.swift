/// The pin header of a board: which line is at which pin.
///
/// Sources: Raspberry Pi hardware documentation ("GPIO and the 40-pin header") with the line names of the device
/// trees of raspberrypi/linux and of Debian 13's kernel; rk3566-radxa-zero-3.dtsi of Linux 6.12; the Orange Pi
/// Zero 3 manual's table of the 26-pin header.
struct Header {
  let board: String

  /// The label of the chip that the lines of the header are on: the names that `pinctrl-bcm2835.c`,
  /// `pinctrl-rp1.c` and `gpio-rockchip.c` (the bank's name) set, and the device's name in `pinctrl-sunxi.c`.
  var chip: String {
    switch board {
    case "raspberry-pi-zero-2-w", "raspberry-pi-3": "pinctrl-bcm2835"
    case "raspberry-pi-4": "pinctrl-bcm2711"
    case "raspberry-pi-5": "pinctrl-rp1"
    case "radxa-zero-3": "gpio3"
    default: "300b000.pinctrl"
    }
  }

  var pinCount: Int { board == "orange-pi-zero-3" ? 26 : 40 }

  /// Whether the chip has a line of this name with every kernel that the board is used with.
  ///
  /// On a Raspberry Pi the names of Raspberry Pi OS and of Debian's kernel differ where a pin has a usual
  /// second purpose: GPIO2 is `SDA1` there, GPIO4 `GPIO_GCLK`, GPIO14 `TXD1`.
  func isOnChip(_ line: String) -> Bool {
    switch board {
    case "radxa-zero-3": return line.contains("[GPIO3_")
    case "orange-pi-zero-3": return line.hasPrefix("PC")
    default:
      let numbers = [5, 6, 12, 13] + Array(16...27)
      return numbers.contains { line == "GPIO\($0)" }
    }
  }

  /// The function of a pin; nil where no wire is allowed.
  func line(at pin: Int) -> String? {
    if Header.ground(board).contains(pin) { return "GND" }
    if [1, 17].contains(pin) { return "3.3 V" }
    if [2, 4].contains(pin) { return "5 V" }
    switch board {
    case "radxa-zero-3": return Header.radxa.first { $0.pin == pin }.map { name(of: $0) }
    case "orange-pi-zero-3": return Header.orangePi.first { $0.pin == pin }?.line
    default: return Header.raspberryPi.first { $0.pin == pin }.map { "GPIO\($0.line)" }
    }
  }

  private static func ground(_ board: String) -> [Int] {
    board == "orange-pi-zero-3" ? [6, 9, 14, 20, 25] : [6, 9, 14, 20, 25, 30, 34, 39]
  }

  private func name(of entry: (pin: Int, line: String)) -> String {
    "pin-\(entry.pin < 10 ? "0" : "")\(entry.pin) [\(entry.line)]"
  }

  private static let raspberryPi: [(pin: Int, line: Int)] = [
    (3, 2), (5, 3), (7, 4), (8, 14), (10, 15), (11, 17), (12, 18), (13, 27), (15, 22), (16, 23),
    (18, 24), (19, 10), (21, 9), (22, 25), (23, 11), (24, 8), (26, 7), (29, 5), (31, 6), (32, 12),
    (33, 13), (35, 19), (36, 16), (37, 26), (38, 20), (40, 21),
  ]

  private static let radxa: [(pin: Int, line: String)] = [
    (3, "GPIO1_A0"), (5, "GPIO1_A1"), (7, "GPIO3_C4"), (11, "GPIO3_A1"), (12, "GPIO3_A3"),
    (13, "GPIO3_A2"), (15, "GPIO3_B0"), (16, "GPIO3_B1"), (18, "GPIO3_B2"), (22, "GPIO3_C1"),
    (29, "GPIO3_B3"), (31, "GPIO3_B4"), (32, "GPIO3_C2"), (33, "GPIO3_C3"), (35, "GPIO3_A4"),
    (36, "GPIO3_A7"), (38, "GPIO3_A6"), (40, "GPIO3_A5"),
  ]

  /// Without pin 7 (PC9), where the interrupt of the power chip is.
  private static let orangePi: [(pin: Int, line: String)] = [
    (3, "PH5"), (5, "PH4"), (8, "PH2"), (10, "PH3"), (11, "PC6"), (12, "PC11"), (13, "PC5"),
    (15, "PC8"), (16, "PC15"), (18, "PC14"), (22, "PC7"), (26, "PC10"),
  ]
}
