/// A setting in a line of config.txt.
///
/// Examples: `enable_uart=1`, `dtoverlay=disable-bt`, or one of the parameters of `dtparam=i2c_arm=on,spi=on`.
struct BootSetting: Equatable, Sendable {
  /// The key: `enable_uart`, `dtoverlay`, `dtparam`.
  let key: String
  /// The overlay or the parameter; empty for other keys.
  let name: String
  let value: String

  /// The setting of a line with a single setting.
  init(_ line: String) {
    self = BootSetting.all(in: line).first ?? BootSetting(key: line, name: "", value: "")
  }

  private init(key: String, name: String, value: String) {
    self.key = key
    self.name = name
    self.value = value
  }

  static func all(in line: String) -> [BootSetting] {
    guard let sign = line.firstIndex(of: "=") else { return [] }
    let key = String(trimmed(line[..<sign]))
    // A comment after a value does not belong to the value.
    let value = trimmed(line[line.index(after: sign)...]).prefix { $0 != " " && $0 != "#" }
    switch key {
    case "dtoverlay", "device_tree_overlay":
      return [
        BootSetting(key: "dtoverlay", name: String(value.prefix { $0 != "," }), value: "on")
      ]
    case "dtparam", "device_tree_param":
      return value.split(separator: ",").map { part in
        let halves = part.split(separator: "=", maxSplits: 1)
        return BootSetting(
          key: "dtparam", name: String(halves[0]),
          value: halves.count < 2 || isTrue(halves[1]) ? "on" : "off")
      }
    default:
      return [BootSetting(key: key, name: "", value: String(value))]
    }
  }

  /// The firmware accepts several words for a parameter that is on or off.
  private static func isTrue(_ value: Substring) -> Bool {
    !["off", "no", "n", "false", "0"].contains(value.lowercased())
  }
}
