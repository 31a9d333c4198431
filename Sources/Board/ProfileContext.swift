import BinnacleBasics
import BinnacleModel

/// Checks the keys of a profile against each other, after each key was checked alone.
struct ProfileContext {
  let profile: Profile
  /// The assignments that count.
  let taken: [SettingsText.Assignment]
  /// Where sections stood.
  let sections: [(place: SettingsText.Place, name: String)]

  var complaints: [SettingsError.Complaint] {
    rates + receiverKeys + missingLines + twoIndicators + trackKeys + timing + presence + sources
      + sharedLines
  }

  private var rates: [SettingsError.Complaint] {
    let navigation = profile.navigation
    guard navigation.rateHz > navigation.rateMaxHz else { return [] }
    let rate = taken.last { $0.isOf("Receiver", "Rate") || $0.isOf("Receiver", "RateMax") }
    return complaint(
      at: rate,
      "Rate (\(navigation.rateHz) Hz) is above RateMax (\(navigation.rateMaxHz) Hz), "
        + "lower the one or raise the other")
  }

  /// The keys that need a bus, and the keys that need a line with a speed.
  private var receiverKeys: [SettingsError.Complaint] {
    let isOnBus = profile.receiver.device == .i2c
    let keys = isOnBus ? ["Speed"] : ["Address", "TxReady"]
    return taken.filter { $0.section == "Receiver" && keys.contains($0.key) && $0.value != "none" }
      .flatMap {
        complaint(
          at: $0,
          isOnBus
            ? "a receiver on the I2C bus has no speed, take the line out"
            : "has a meaning only with Device=i2c, take the line out or change Device")
      }
  }

  /// A section of a light or a button without its line.
  private var missingLines: [SettingsError.Complaint] {
    var told: [String] = []
    return sections.flatMap { section -> [SettingsError.Complaint] in
      let isWired =
        ["Indicator", "StatusLED"].contains(section.name)
        || section.name.hasPrefix("Button ")
      guard isWired, !told.contains(section.name),
        !taken.contains(where: {
          $0.isOf(section.name, "Line")
            || $0.isOf("Indicator", "Class") && $0.section == section.name
        })
      else { return [] }
      told.append(section.name)
      return [
        section.place.complaint("[\(section.name)]", "has no Line, give one such as Line=GPIO23")
      ]
    }
  }

  /// An indicator at a line and in the kernel's class of LEDs.
  private var twoIndicators: [SettingsError.Complaint] {
    guard let indicator = profile.indicator, !indicator.line.isEmpty, indicator.ledName != nil
    else {
      return []
    }
    return complaint(
      at: taken.last { $0.isOf("Indicator", "Class") || $0.isOf("Indicator", "Line") },
      "the indicator is a line or an LED of the kernel, write Line=none or Class=none")
  }

  /// A section of tracks that does not say whether there are any.
  private var trackKeys: [SettingsError.Complaint] {
    guard let section = sections.first(where: { $0.name == "Track" }),
      !taken.contains(where: { $0.isOf("Track", "Track") })
    else { return [] }
    return [
      section.place.complaint("[Track]", "has no Track, give Track=full, reduced or off")
    ]
  }

  private var timing: [SettingsError.Complaint] {
    let timing = profile.buttonTiming
    guard timing.shortMax >= timing.longPress else { return [] }
    let key = taken.last { $0.isOf("Buttons", "ShortMax") || $0.isOf("Buttons", "LongPress") }
    return complaint(
      at: key,
      "ShortMax (\(SettingsValue.shown(timing.shortMax))) is not below LongPress "
        + "(\(SettingsValue.shown(timing.longPress))), lower the one or raise the other")
  }

  /// A gesture that unlocks consoles and has another action, or no button.
  private var presence: [SettingsError.Complaint] {
    guard let wanted = profile.console.presence, !profile.isFree(wanted) else { return [] }
    let key = taken.last { $0.isOf("Console", "Presence") }
    guard let button = profile.buttons.first(where: { $0.name == wanted.button }) else {
      return complaint(
        at: key, "the profile has no button \(wanted.button), name one of its buttons or write none"
      )
    }
    return complaint(
      at: key,
      "\(wanted.button) \(wanted.gesture) has the action \(button.actions[wanted.gesture].rawValue) "
        + "already, take a gesture without an action: it only shows that a person is at the board")
  }

  /// Lines need a chip, what is on the bus needs a bus.
  private var sources: [SettingsError.Complaint] {
    var found: [SettingsError.Complaint] = []
    if profile.board.lines == nil, let first = lines.first {
      found += complaint(
        at: first, "needs a chip, give its label as GPIO= in [Board], such as GPIO=pinctrl-bcm2711")
    }
    guard profile.board.bus == nil else { return found }
    let wanted = "needs a bus, give its device as I2C= in [Board], such as I2C=/dev/i2c-1"
    if profile.receiver.device == .i2c {
      found += complaint(at: taken.last { $0.isOf("Receiver", "Device") }, wanted)
    }
    if profile.accelerometer != nil,
      let place = sections.last(where: { $0.name == "Accelerometer" })
    {
      found.append(place.place.complaint("[Accelerometer]", wanted))
    }
    return found
  }

  /// Two things on one line.
  private var sharedLines: [SettingsError.Complaint] {
    lines.enumerated().flatMap { index, line -> [SettingsError.Complaint] in
      guard let other = lines[..<index].first(where: { $0.value == line.value }) else { return [] }
      return complaint(
        at: line, "\(line.value) is \(other.key) of [\(other.section)] already, take another line")
    }
  }

  /// The assignments that name a line.
  private var lines: [SettingsText.Assignment] {
    taken.filter {
      ["Line", "Sense", "Interrupt", "TxReady", "ExtInt"].contains($0.key) && $0.value != "none"
    }
  }

  private func complaint(
    at assignment: SettingsText.Assignment?, _ text: String
  ) -> [SettingsError.Complaint] {
    guard let assignment else { return [] }
    return [assignment.place.complaint(assignment.key, text)]
  }
}
