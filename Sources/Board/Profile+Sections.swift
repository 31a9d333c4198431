import BinnacleBasics
import BinnacleModel

/// The sections of a profile and the keys that they have.
extension Profile {
  typealias Section = SettingsSection<ProfileDraft>
  typealias Key = Section.Key
  typealias Wrong = SettingsValue.Wrong

  static var settings: SettingsKind<ProfileDraft> {
    SettingsKind(
      noun: "profile", exampleSection: "Receiver",
      sections: [
        board, receiver, accelerometer, motion, indicator, statusLED, buttons, location, apps,
        console,
        clients,
        track,
      ] + DoorKind.allCases.map(door),
      others: ["[Button NAME]"], other: { buttonName(in: $0).map { button($0) } },
      adviceOnOther: { name in
        guard name == "Button" || name.hasPrefix("Button ") else { return nil }
        return
          "a button's section is like [Button HOME]: one word of at most 16 upper-case letters, "
          + "digits and hyphens"
      })
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

  /// The length fits an argument of a command, and a column of a list.
  private static let buttonNameLengthMax = 16
}

extension Profile {
  private static var board: Section {
    Section(
      name: "Board",
      keys: [
        Key(name: "Name") { (text, draft) throws(Wrong) in
          draft.profile.board.name = try SettingsValue.words(
            text, example: "Raspberry Pi 4 Model B")
        },
        Key(name: "Compatible") { (text, draft) throws(Wrong) in
          draft.profile.board.compatible = try SettingsValue.compatible(text)
        },
        Key(name: "GPIO") { (text, draft) throws(Wrong) in
          draft.profile.board.lines = try SettingsValue.lineSource(text)
        },
        Key(name: "I2C") { (text, draft) throws(Wrong) in
          draft.profile.board.bus = try SettingsValue.busSource(text)
        },
        Key(name: "ClockWithin") { (text, draft) throws(Wrong) in
          draft.profile.board.clockWithin = try SettingsValue.interval(
            text, in: .milliseconds(1)...(.seconds(60)), example: "2 s")
        },
        Key(name: "State") { (text, draft) throws(Wrong) in
          draft.profile.board.state = try SettingsValue.path(text, example: "/dev/mmcblk0p3")
        },
      ])
  }

  private static var receiver: Section {
    Section(
      name: "Receiver",
      keys: [
        Key(name: "Device") { (text, draft) throws(Wrong) in
          draft.profile.receiver.device =
            text == "i2c" ? .i2c : .serial(path: try SettingsValue.path(text))
        },
        Key(name: "Address", usual: "0x42") { (text, draft) throws(Wrong) in
          draft.profile.receiver.address = try SettingsValue.address(text)
        },
        Key(name: "TxReady") { (text, draft) throws(Wrong) in
          draft.profile.receiver.txReady = try SettingsValue.line(text)
        },
        Key(name: "ExtInt") { (text, draft) throws(Wrong) in
          draft.profile.receiver.extInt = try SettingsValue.line(text)
        },
        Key(name: "Speed") { (text, draft) throws(Wrong) in
          draft.profile.receiver.speed = try SettingsValue.count(
            text, unit: "baud", in: 4_800...921_600)
        },
        Key(name: "Rate", usual: "0 Hz") { (text, draft) throws(Wrong) in
          draft.profile.navigation.rateHz = try SettingsValue.count(text, unit: "Hz", in: 0...25)
        },
        Key(name: "RateMax", usual: "10 Hz") { (text, draft) throws(Wrong) in
          draft.profile.navigation.rateMaxHz = try SettingsValue.count(text, unit: "Hz", in: 1...25)
        },
        Key(name: "UnavailableAfter", usual: "5 s") { (text, draft) throws(Wrong) in
          draft.profile.navigation.unavailableAfter = try SettingsValue.interval(
            text, in: .seconds(1)...(.seconds(3_600)), example: "5 s")
        },
        Key(name: "Sleep", usual: "auto") { (text, draft) throws(Wrong) in
          let sleep: Receiver.Sleep = try SettingsValue.choice(text, besides: [])
          draft.profile.power.sleeps = sleep == .auto
        },
        Key(name: "RestBeforeSleep", usual: "60 s") { (text, draft) throws(Wrong) in
          draft.profile.power.restBeforeSleep = try SettingsValue.interval(
            text, in: .seconds(5)...(.seconds(86_400)), example: "60 s")
        },
        Key(name: "SearchBudget", usual: "300 s") { (text, draft) throws(Wrong) in
          draft.profile.power.searchBudget = try SettingsValue.interval(
            text, in: .seconds(60)...(.seconds(86_400)), example: "300 s")
        },
      ])
  }

  private static var accelerometer: Section {
    Section(
      name: "Accelerometer",
      keys: [
        Key(name: "Chip", usual: "auto") { (text, draft) throws(Wrong) in
          draft.isWithoutAccelerometer = text == "none"
          if !draft.isWithoutAccelerometer {
            draft.accelerometer.chip = try SettingsValue.choice(text, besides: ["none"])
          }
        },
        Key(name: "Address") { (text, draft) throws(Wrong) in
          draft.accelerometer.address = try SettingsValue.address(text)
        },
        Key(name: "Interrupt") { (text, draft) throws(Wrong) in
          draft.accelerometer.interrupt = try SettingsValue.line(text)
        },
        Key(name: "Range", usual: "2 g") { (text, draft) throws(Wrong) in
          draft.accelerometer.rangeG = try SettingsValue.count(
            text, unit: "g", among: [2, 4, 8, 16])
        },
        Key(name: "Rate", usual: "50 Hz") { (text, draft) throws(Wrong) in
          draft.accelerometer.rateHz = try SettingsValue.count(text, unit: "Hz", in: 10...400)
        },
      ])
  }

  private static var motion: Section {
    Section(
      name: "Motion",
      keys: [
        Key(name: "Profile", usual: "default") { (text, draft) throws(Wrong) in
          draft.profile.motion.readiness = try SettingsValue.choice(text, besides: [])
        },
        dwell("DwellDefault", "120 s", \.default), dwell("DwellFitness", "60 s", \.fitness),
        dwell("DwellAutomotive", "300 s", \.automotiveNavigation),
        dwell("DwellOther", "300 s", \.otherNavigation),
        dwell("DwellAirborne", "300 s", \.airborne),
      ])
  }

  private static func dwell(
    _ name: String, _ usual: String,
    _ path: any WritableKeyPath<DwellSettings, Interval> & Sendable
  ) -> Key {
    Key(name: name, usual: usual) { (text, draft) throws(Wrong) in
      draft.profile.motion.dwells[keyPath: path] = try SettingsValue.interval(
        text, in: .seconds(10)...(.seconds(86_400)), example: "120 s")
    }
  }

  private static var indicator: Section {
    Section(
      name: "Indicator", aliases: ["IndicatorLED"],
      keys: [
        Key(name: "Line") { (text, draft) throws(Wrong) in
          draft.indicator.line = try SettingsValue.line(text) ?? ""
        },
        Key(name: "Class") { (text, draft) throws(Wrong) in
          draft.indicator.ledName = try SettingsValue.led(text)
        },
        Key(name: "ActiveLow", usual: "no") { (text, draft) throws(Wrong) in
          draft.indicator.isActiveLow = try SettingsValue.yesOrNo(text)
        },
        Key(name: "Sense") { (text, draft) throws(Wrong) in
          draft.indicator.sense = try SettingsValue.line(text)
        },
        Key(name: "Settling", usual: "50 ms") { (text, draft) throws(Wrong) in
          draft.indicator.settling = try SettingsValue.interval(
            text, in: .milliseconds(0)...(.seconds(2)), example: "50 ms")
        },
      ])
  }

  private static var statusLED: Section {
    Section(
      name: "StatusLED",
      keys: [
        Key(name: "Line") { (text, draft) throws(Wrong) in
          draft.statusLED.line = try SettingsValue.line(text) ?? ""
        },
        Key(name: "ActiveLow", usual: "no") { (text, draft) throws(Wrong) in
          draft.statusLED.isActiveLow = try SettingsValue.yesOrNo(text)
        },
        Key(name: "SlowBlink", usual: "1 s") { (text, draft) throws(Wrong) in
          draft.statusLED.slowBlink = try SettingsValue.interval(
            text, in: .milliseconds(200)...(.seconds(60)), example: "1 s")
        },
        Key(name: "FastBlink", usual: "125 ms") { (text, draft) throws(Wrong) in
          draft.statusLED.fastBlink = try SettingsValue.interval(
            text, in: .milliseconds(50)...(.seconds(60)), example: "125 ms")
        },
      ])
  }

  private static func button(_ name: String) -> Section {
    Section(
      name: "Button \(name)",
      keys: [
        Key(name: "Line") { (text, draft) throws(Wrong) in
          let line = try SettingsValue.line(text) ?? ""
          draft.buttons[draft.button(name)].line = line
        },
        Key(name: "ActiveLow", usual: "yes") { (text, draft) throws(Wrong) in
          let isActiveLow = try SettingsValue.yesOrNo(text)
          draft.buttons[draft.button(name)].isActiveLow = isActiveLow
        },
        Key(name: "Bias", usual: "pull-up") { (text, draft) throws(Wrong) in
          let bias: Profile.Button.Bias = try SettingsValue.choice(text, besides: [])
          draft.buttons[draft.button(name)].bias = bias
        },
        Key(name: "Debounce", usual: "10 ms") { (text, draft) throws(Wrong) in
          let debounce = try SettingsValue.interval(
            text, in: .milliseconds(0)...(.milliseconds(200)), example: "10 ms")
          draft.buttons[draft.button(name)].debounce = debounce
        },
        action("Short", of: name, \.short), action("Long", of: name, \.long),
        action("Double", of: name, \.double),
      ])
  }

  private static func action(
    _ key: String, of button: String,
    _ gesture: any WritableKeyPath<ButtonActions, ButtonAction> & Sendable
  ) -> Key {
    Key(name: key, usual: ButtonActions(defaultsFor: button)[keyPath: gesture].rawValue) {
      (text, draft) throws(Wrong) in
      let action: ButtonAction = try SettingsValue.choice(text, besides: [])
      draft.buttons[draft.button(button)].actions[keyPath: gesture] = action
    }
  }

  private static var buttons: Section {
    Section(
      name: "Buttons",
      keys: [
        Key(name: "LongPress", usual: "2 s") { (text, draft) throws(Wrong) in
          draft.profile.buttonTiming.longPress = try SettingsValue.interval(
            text, in: .milliseconds(500)...(.seconds(30)), example: "2 s")
        },
        Key(name: "ShortMax", usual: "800 ms") { (text, draft) throws(Wrong) in
          draft.profile.buttonTiming.shortMax = try SettingsValue.interval(
            text, in: .milliseconds(100)...(.seconds(5)), example: "800 ms")
        },
        Key(name: "DoubleWindow", usual: "400 ms") { (text, draft) throws(Wrong) in
          draft.profile.buttonTiming.doubleWindow = try SettingsValue.interval(
            text, in: .milliseconds(100)...(.seconds(2)), example: "400 ms")
        },
      ], otherKeys: ["(a button has a section of its own, [Button NAME])"])
  }

  private static var track: Section {
    Section(
      name: "Track",
      keys: [
        Key(name: "Track", usual: "off") { (text, draft) throws(Wrong) in
          draft.hasTrack = text != "off"
          if draft.hasTrack {
            draft.track.accuracy = try SettingsValue.choice(text, besides: ["off"])
          }
        },
        Key(name: "Period", usual: "1 s") { (text, draft) throws(Wrong) in
          draft.track.period = try SettingsValue.interval(
            text, in: .milliseconds(100)...(.seconds(3_600)), example: "1 s")
        },
        Key(name: "Days", usual: "7") { (text, draft) throws(Wrong) in
          draft.track.daysKept = try SettingsValue.count(
            text, unit: "days", in: 1...3_650)
        },
      ])
  }

  private static var clients: Section {
    Section(
      name: "Clients",
      keys: [
        Key(name: "ClientsMax", usual: "64") { (text, draft) throws(Wrong) in
          draft.profile.clients.clientsMax = try SettingsValue.count(text, unit: "", in: 1...1_000)
        },
        Key(name: "ClientsPerUserMax", aliases: ["PerUserMax"], usual: "16") {
          (text, draft) throws(Wrong) in
          draft.profile.clients.clientsPerUserMax = try SettingsValue.count(
            text, unit: "", in: 1...1_000)
        },
        Key(name: "SequencesMax", usual: "32") { (text, draft) throws(Wrong) in
          draft.profile.clients.sequencesMax = try SettingsValue.count(
            text, unit: "", in: 1...1_000)
        },
        Key(name: "RejoinWindow", usual: "10 s") { (text, draft) throws(Wrong) in
          draft.profile.clients.rejoinWindow = try SettingsValue.interval(
            text, in: .seconds(1)...(.seconds(600)), example: "10 s")
        },
      ])
  }

  private static var console: Section {
    Section(
      name: "Console",
      keys: [
        Key(name: "View", usual: "yes") { (text, draft) throws(Wrong) in
          draft.profile.console.view = try SettingsValue.choice(text, besides: [])
        },
        Key(name: "Privacy", usual: "no") { (text, draft) throws(Wrong) in
          draft.profile.console.hidesPositions = try SettingsValue.yesOrNo(text)
        },
        Key(name: "UnlockFor", usual: "300 s") { (text, draft) throws(Wrong) in
          draft.profile.console.unlockTime = try SettingsValue.interval(
            text, in: .seconds(10)...(.seconds(3_600)), example: "300 s")
        },
        Key(name: "Presence", usual: "auto") { (text, draft) throws(Wrong) in
          draft.presence = try SettingsValue.presence(text)
        },
      ])
  }

  private static var apps: Section {
    Section(
      name: "Apps",
      keys: [
        Key(name: "RunTime", usual: "10 s") { (text, draft) throws(Wrong) in
          draft.profile.life.runTime = try SettingsValue.interval(
            text, in: .seconds(1)...(.seconds(3_600)), example: "10 s")
        },
        Key(name: "QueueMax", usual: "3600") { (text, draft) throws(Wrong) in
          draft.profile.life.queueMax = try SettingsValue.count(text, unit: "", in: 1...100_000)
        },
        Key(name: "MemoryReserve", usual: "64 MB") { (text, draft) throws(Wrong) in
          let megabytes = try SettingsValue.count(text, unit: "MB", in: 0...65_536)
          draft.profile.life.memoryReserveBytes = Int64(megabytes) << 20
        },
        Key(name: "WakeInterval", usual: "60 s") { (text, draft) throws(Wrong) in
          draft.profile.life.wakeInterval = try SettingsValue.interval(
            text, in: .seconds(1)...(.seconds(86_400)), example: "60 s")
        },
      ])
  }

  private static var location: Section {
    Section(
      name: "Location",
      keys: [
        Key(name: "Restricted", usual: "no") { (text, draft) throws(Wrong) in
          draft.profile.consent.restricted = try SettingsValue.restriction(text)
        },
        Key(name: "PromptTimeout", usual: "60 s") { (text, draft) throws(Wrong) in
          draft.profile.consent.promptTimeout = try SettingsValue.interval(
            text, in: .seconds(1)...(.seconds(3_600)), example: "60 s")
        },
        Key(name: "BackgroundGrace", usual: "10 s") { (text, draft) throws(Wrong) in
          draft.profile.consent.backgroundGrace = try SettingsValue.interval(
            text, in: .seconds(1)...(.seconds(600)), example: "10 s")
        },
      ])
  }
}
