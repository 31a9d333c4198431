import Basics

/// A section of a profile and the keys that it has.
struct ProfileSection {
  let name: String
  let keys: [Key]

  /// A key: how it takes a value, or what would be right.
  struct Key {
    let name: String
    let take: (String, inout ProfileDraft) throws(Wrong) -> Void
  }

  /// What is wrong with a value, and what would be right.
  struct Wrong: Error {
    let text: String
  }

  /// All sections that have one name, in the order in which they are suggested.
  static var all: [ProfileSection] {
    [board, receiver, accelerometer, indicator, statusLED, buttons, clients]
  }

  /// The section of this name; a button's has the button's name in it.
  static func named(_ name: String) -> ProfileSection? {
    if let button = buttonName(in: name) { return self.button(button) }
    return all.first { $0.name == name }
  }

  /// The word behind `Button`, when it is one: upper-case letters, digits, hyphens.
  private static func buttonName(in section: String) -> String? {
    let words = section.split(separator: " ")
    guard words.count == 2, words[0] == "Button" else { return nil }
    let letters = words[1].utf8
    let isWord =
      (1...buttonNameLengthMax).contains(letters.count)
      && letters.first.map { (65...90).contains($0) } == true
      && letters.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 45 }
    return isWord ? String(words[1]) : nil
  }

  /// As much as a program's argument or a line of a list bears.
  private static let buttonNameLengthMax = 16
}

extension ProfileSection {
  private static var board: ProfileSection {
    ProfileSection(
      name: "Board",
      keys: [
        Key(name: "Name") { (text, draft) throws(Wrong) in
          draft.profile.board.name = try ProfileValue.words(text, example: "Raspberry Pi 4 Model B")
        },
        Key(name: "Compatible") { (text, draft) throws(Wrong) in
          draft.profile.board.compatible = try ProfileValue.compatible(text)
        },
        Key(name: "GPIO") { (text, draft) throws(Wrong) in
          draft.profile.board.lines = try ProfileValue.lineSource(text)
        },
        Key(name: "I2C") { (text, draft) throws(Wrong) in
          draft.profile.board.bus = try ProfileValue.busSource(text)
        },
        Key(name: "ClockWithin") { (text, draft) throws(Wrong) in
          draft.profile.board.clockWithin = try ProfileValue.interval(
            text, in: .milliseconds(1)...(.seconds(60)), example: "2 s")
        },
      ])
  }

  private static var receiver: ProfileSection {
    ProfileSection(
      name: "Receiver",
      keys: [
        Key(name: "Device") { (text, draft) throws(Wrong) in
          draft.profile.receiver.device =
            text == "i2c" ? .i2c : .serial(path: try ProfileValue.path(text))
        },
        Key(name: "Address") { (text, draft) throws(Wrong) in
          draft.profile.receiver.address = try ProfileValue.address(text)
        },
        Key(name: "TxReady") { (text, draft) throws(Wrong) in
          draft.profile.receiver.txReady = try ProfileValue.line(text)
        },
        Key(name: "Speed") { (text, draft) throws(Wrong) in
          draft.profile.receiver.speed = try ProfileValue.count(
            text, unit: "baud", in: 4_800...921_600)
        },
        Key(name: "Rate") { (text, draft) throws(Wrong) in
          draft.profile.receiver.rateHz = try ProfileValue.count(text, unit: "Hz", in: 0...25)
        },
        Key(name: "RateMax") { (text, draft) throws(Wrong) in
          draft.profile.receiver.rateMaxHz = try ProfileValue.count(text, unit: "Hz", in: 1...25)
        },
        Key(name: "UnavailableAfter") { (text, draft) throws(Wrong) in
          draft.profile.receiver.unavailableAfter = try ProfileValue.interval(
            text, in: .seconds(1)...(.seconds(3_600)), example: "5 s")
        },
      ])
  }

  private static var accelerometer: ProfileSection {
    ProfileSection(
      name: "Accelerometer",
      keys: [
        Key(name: "Chip") { (text, draft) throws(Wrong) in
          draft.hasAccelerometer = text != "none"
          if draft.hasAccelerometer {
            draft.accelerometer.chip = try ProfileValue.choice(text, besides: ["none"])
          }
        },
        Key(name: "Address") { (text, draft) throws(Wrong) in
          draft.accelerometer.address = try ProfileValue.address(text)
        },
        Key(name: "Interrupt") { (text, draft) throws(Wrong) in
          draft.accelerometer.interrupt = try ProfileValue.line(text)
        },
        Key(name: "Range") { (text, draft) throws(Wrong) in
          draft.accelerometer.rangeG = try ProfileValue.count(
            text, unit: "g", among: [2, 4, 8, 16])
        },
        Key(name: "Rate") { (text, draft) throws(Wrong) in
          draft.accelerometer.rateHz = try ProfileValue.count(text, unit: "Hz", in: 10...400)
        },
      ])
  }

  private static var indicator: ProfileSection {
    ProfileSection(
      name: "Indicator",
      keys: [
        Key(name: "Line") { (text, draft) throws(Wrong) in
          draft.indicator.line = try ProfileValue.line(text) ?? ""
        },
        Key(name: "ActiveLow") { (text, draft) throws(Wrong) in
          draft.indicator.isActiveLow = try ProfileValue.yesOrNo(text)
        },
        Key(name: "Sense") { (text, draft) throws(Wrong) in
          draft.indicator.sense = try ProfileValue.line(text)
        },
        Key(name: "Settling") { (text, draft) throws(Wrong) in
          draft.indicator.settling = try ProfileValue.interval(
            text, in: .milliseconds(0)...(.seconds(2)), example: "50 ms")
        },
      ])
  }

  private static var statusLED: ProfileSection {
    ProfileSection(
      name: "StatusLED",
      keys: [
        Key(name: "Line") { (text, draft) throws(Wrong) in
          draft.statusLED.line = try ProfileValue.line(text) ?? ""
        },
        Key(name: "ActiveLow") { (text, draft) throws(Wrong) in
          draft.statusLED.isActiveLow = try ProfileValue.yesOrNo(text)
        },
        Key(name: "SlowBlink") { (text, draft) throws(Wrong) in
          draft.statusLED.slowBlink = try ProfileValue.interval(
            text, in: .milliseconds(200)...(.seconds(60)), example: "1 s")
        },
        Key(name: "FastBlink") { (text, draft) throws(Wrong) in
          draft.statusLED.fastBlink = try ProfileValue.interval(
            text, in: .milliseconds(50)...(.seconds(60)), example: "125 ms")
        },
      ])
  }

  private static func button(_ name: String) -> ProfileSection {
    ProfileSection(
      name: "Button \(name)",
      keys: [
        Key(name: "Line") { (text, draft) throws(Wrong) in
          let line = try ProfileValue.line(text) ?? ""
          draft.buttons[draft.button(name)].line = line
        },
        Key(name: "ActiveLow") { (text, draft) throws(Wrong) in
          let isActiveLow = try ProfileValue.yesOrNo(text)
          draft.buttons[draft.button(name)].isActiveLow = isActiveLow
        },
        Key(name: "Bias") { (text, draft) throws(Wrong) in
          let bias: Profile.Button.Bias = try ProfileValue.choice(text, besides: [])
          draft.buttons[draft.button(name)].bias = bias
        },
        Key(name: "Debounce") { (text, draft) throws(Wrong) in
          let debounce = try ProfileValue.interval(
            text, in: .milliseconds(0)...(.milliseconds(200)), example: "10 ms")
          draft.buttons[draft.button(name)].debounce = debounce
        },
        Key(name: "Double") { (text, draft) throws(Wrong) in
          let hasDouble = try ProfileValue.yesOrNo(text)
          draft.buttons[draft.button(name)].hasDouble = hasDouble
        },
      ])
  }

  private static var buttons: ProfileSection {
    ProfileSection(
      name: "Buttons",
      keys: [
        Key(name: "LongPress") { (text, draft) throws(Wrong) in
          draft.profile.buttonTiming.longPress = try ProfileValue.interval(
            text, in: .milliseconds(500)...(.seconds(30)), example: "2 s")
        },
        Key(name: "ShortMax") { (text, draft) throws(Wrong) in
          draft.profile.buttonTiming.shortMax = try ProfileValue.interval(
            text, in: .milliseconds(100)...(.seconds(5)), example: "800 ms")
        },
        Key(name: "DoubleWindow") { (text, draft) throws(Wrong) in
          draft.profile.buttonTiming.doubleWindow = try ProfileValue.interval(
            text, in: .milliseconds(100)...(.seconds(2)), example: "400 ms")
        },
      ])
  }

  private static var clients: ProfileSection {
    ProfileSection(
      name: "Clients",
      keys: [
        Key(name: "ClientsMax") { (text, draft) throws(Wrong) in
          draft.profile.clients.clientsMax = try ProfileValue.count(text, unit: "", in: 1...1_000)
        },
        Key(name: "ClientsPerUserMax") { (text, draft) throws(Wrong) in
          draft.profile.clients.clientsPerUserMax = try ProfileValue.count(
            text, unit: "", in: 1...1_000)
        },
        Key(name: "SequencesMax") { (text, draft) throws(Wrong) in
          draft.profile.clients.sequencesMax = try ProfileValue.count(
            text, unit: "", in: 1...1_000)
        },
      ])
  }
}
