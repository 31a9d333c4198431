import BinnacleBasics

/// A profile on its way: sections whose line is not known yet.
struct ProfileDraft {
  /// What needs no other key beside it.
  var profile = Profile()
  var accelerometer = Profile.Accelerometer()
  /// `Chip` said `none`.
  var isWithoutAccelerometer = false
  var indicator = Profile.Indicator(line: "")
  var statusLED = Profile.StatusLED(line: "")
  var sentenceDoor = Profile.SentenceDoor()
  /// Without a line until `Line` is read; `Line=none` leaves it so.
  var buttons: [Profile.Button] = []

  /// The place of a button, made when it is not there yet.
  mutating func button(_ name: String) -> Int {
    if let index = buttons.firstIndex(where: { $0.name == name }) { return index }
    buttons.append(Profile.Button(name: name, line: ""))
    return buttons.count - 1
  }

  /// The profile; what has no line is not there, and without a section of its own no accelerometer.
  func finished(hasAccelerometerSection: Bool) -> Profile {
    var profile = profile
    profile.accelerometer =
      hasAccelerometerSection && !isWithoutAccelerometer ? accelerometer : nil
    profile.indicator = indicator.line.isEmpty ? nil : indicator
    profile.statusLED = statusLED.line.isEmpty ? nil : statusLED
    if sentenceDoor.terminal != nil || sentenceDoor.socket != nil {
      profile.sentenceDoor = sentenceDoor
    }
    profile.buttons = buttons.filter { !$0.line.isEmpty }
    return profile
  }
}
