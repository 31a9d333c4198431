import BinnacleModel

/// A profile that is being read: sections may still lack their line.
struct ProfileDraft {
  /// The settings that need no other key.
  var profile = Profile()
  var accelerometer = Profile.Accelerometer()
  /// `Chip` said `none`.
  var isWithoutAccelerometer = false
  var indicator = Profile.Indicator(line: "")
  var statusLED = Profile.StatusLED(line: "")
  var track = TrackSettings(accuracy: .full)
  /// `Track` is there and is not `off`.
  var hasTrack = false
  /// The doors that the files have a key of.
  var doors: [DoorKind: Profile.Door] = [:]
  /// `Presence`.
  var presence = Presence.auto
  /// Without a line until `Line` is read; `Line=none` leaves it so.
  var buttons: [Profile.Button] = []

  /// The values of `Presence`.
  enum Presence {
    /// The usual gesture, if its button has no other action for it.
    case auto
    case none
    case gesture(PresenceGesture)
  }

  /// The index of a button, which is added when it is missing.
  mutating func button(_ name: String) -> Int {
    if let index = buttons.firstIndex(where: { $0.name == name }) { return index }
    buttons.append(Profile.Button(name: name, line: ""))
    return buttons.count - 1
  }

  /// The finished profile, without the parts that have no line; without its section there is no accelerometer.
  func finished(hasAccelerometerSection: Bool) -> Profile {
    var profile = profile
    profile.accelerometer =
      hasAccelerometerSection && !isWithoutAccelerometer ? accelerometer : nil
    profile.indicator = indicator.line.isEmpty && indicator.ledName == nil ? nil : indicator
    profile.statusLED = statusLED.line.isEmpty ? nil : statusLED
    profile.doors = DoorKind.allCases.compactMap { doors[$0] }
      .filter { $0.terminal != nil || $0.socket != nil }
    profile.track = hasTrack ? track : nil
    profile.buttons = buttons.filter { !$0.line.isEmpty }
    profile.console.presence =
      switch presence {
      case .auto: profile.isFree(.usual) ? .usual : nil
      case .none: nil
      case .gesture(let gesture): gesture
      }
    return profile
  }
}
