import BinnacleModel

extension SettingsValue {
  /// The name of a line; nil where it says `none`.
  static func line(_ text: String) throws(Wrong) -> String? {
    if text == "none" { return nil }
    // GPIO_MAX_NAME_SIZE (linux/gpio.h) is 32 with the zero behind the name.
    let isName =
      (1...31).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 0x20 }
    guard isName else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not the name of a line, write it like GPIO17 as "
          + "gpioinfo shows it, or none")
    }
    return text
  }

  /// An LED of the kernel, by its name in `/sys/class/leds`; nil where it says `none`.
  static func led(_ text: String) throws(Wrong) -> String? {
    if text == "none" { return nil }
    // LED_MAX_NAME_SIZE (uapi/linux/uleds.h) is 64 with the zero behind the name.
    let isName =
      (1...63).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard isName else {
      throw Wrong(
        text:
          "'\(SettingsText.shown(text))' is not the name of an LED, write it like green:status as "
          + "'ls /sys/class/leds' shows it, or none")
    }
    return text
  }

  /// An address on an I2C bus: 7 bit, without those that the I2C specification (UM10204, 3.1.12) reserves.
  static func address(_ text: String) throws(Wrong) -> UInt8 {
    let digits = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : nil
    guard let address = digits, (0x08...0x77).contains(address) else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not an address on the bus, write it like 0x42 as "
          + "i2cdetect shows it (0x08 to 0x77)")
    }
    return address
  }

  /// A button and its gesture, such as `HOME double`, `auto` or `none`.
  static func presence(_ text: String) throws(Wrong) -> ProfileDraft.Presence {
    if text == "none" { return .none }
    if text == "auto" { return .auto }
    let words = text.split(separator: " ")
    guard words.count == 2, let gesture = Gesture.allCases.first(where: { "\($0)" == words[1] })
    else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not a button and short, long or double, write it "
          + "like HOME double, auto or none")
    }
    return .gesture(PresenceGesture(button: String(words[0]), gesture: gesture))
  }

  /// `yes` or `no`.
  static func yesOrNo(_ text: String) throws(Wrong) -> Bool {
    switch text {
    case "yes": return true
    case "no": return false
    default: throw Wrong(text: "'\(SettingsText.shown(text))' is neither yes nor no")
    }
  }

  /// One of an enumeration's words, or of others beside them that the caller knows.
  static func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: String, besides others: [String]
  ) throws(Wrong) -> Choice where Choice.RawValue == String {
    if let choice = Choice(rawValue: text) { return choice }
    let words = Choice.allCases.map { $0.rawValue } + others
    throw Wrong(
      text: "'\(SettingsText.shown(text))' is not one of \(words.joined(separator: " "))")
  }

  /// One of a few whole numbers, with its unit or without.
  static func count(_ text: String, unit: String, among numbers: [Int]) throws(Wrong) -> Int {
    guard let number = Int(withoutUnit(text, unit)), numbers.contains(number) else {
      let list = numbers.map { "\($0)" }.joined(separator: " ")
      throw Wrong(text: "'\(SettingsText.shown(text))' is not one of \(list) \(unit)")
    }
    return number
  }

  /// Text for a person.
  static func words(_ text: String, example: String) throws(Wrong) -> String {
    let isText =
      (1...80).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 0x20 }
    guard isText else {
      throw Wrong(text: "is not a name of at most 80 letters, write it like \(example)")
    }
    return text
  }

  /// Strings of a device tree's `compatible`, by blanks.
  static func compatible(_ text: String) throws(Wrong) -> [String] {
    let strings = text.split { $0 == " " || $0 == "\t" }.map { String($0) }
    for string in strings where !string.contains(",") || string.hasSuffix(",") {
      throw Wrong(
        text: "'\(SettingsText.shown(string))' is not a compatible string, one looks like "
          + "raspberrypi,4-model-b; /proc/device-tree/compatible has those of this board")
    }
    guard !strings.isEmpty else {
      throw Wrong(
        text: "has no value, give strings such as raspberrypi,4-model-b or take the line out")
    }
    return strings
  }

  /// The label of a chip, or a simulated board.
  static func lineSource(_ text: String) throws(Wrong) -> Profile.LineSource {
    if let path = try simulated(text) { return .simulated(path: path) }
    let isNumbered = text.hasPrefix("/") || text.hasPrefix("gpiochip")
    // The kernel's label has room for 31 letters (GPIO_MAX_NAME_SIZE in linux/gpio.h).
    guard !isNumbered, (1...31).contains(text.utf8.count) else {
      throw Wrong(
        text:
          "'\(SettingsText.shown(text))' is not a chip's label, write it like pinctrl-bcm2711 as "
          + "gpiodetect shows it in brackets (numbers change), or sim:PATH")
    }
    return .chip(label: text)
  }

  /// The device of a bus, or a simulated board.
  static func busSource(_ text: String) throws(Wrong) -> Profile.BusSource {
    if let path = try simulated(text) { return .simulated(path: path) }
    guard text.hasPrefix("/") else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not the device of a bus, write it like /dev/i2c-1, "
          + "or sim:PATH")
    }
    return .device(path: text)
  }

  /// The path behind `sim:`; nil when there is no `sim:`.
  private static func simulated(_ text: String) throws(Wrong) -> String? {
    guard text.hasPrefix("sim:") else { return nil }
    let path = String(text.dropFirst(4))
    guard !path.isEmpty, path != "/", !path.hasSuffix("/") else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' names no simulated board, write it like "
          + "sim:board.sock (in the runtime directory) or sim:/run/binnacle/board.sock")
    }
    return path
  }
}
