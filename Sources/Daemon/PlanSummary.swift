import BinnacleBasics
import BinnacleModel
import Board

/// The text of `binnacled --check`: a line for each part of the profile.
struct PlanSummary {
  let profile: Profile
  /// The profile and its drop-ins; empty without one.
  let files: [String]
  let receiver: String
  /// Whether the receiver is from the command line.
  let isReceiverNamed: Bool
  let apps: [AppManifest]

  var text: String {
    var lines = board
    lines.append("receiver: " + receiver + (isReceiverNamed ? ", by --receiver" : ""))
    if let sleep { lines.append("receiver's sleep: " + sleep) }
    lines += accelerometer + lights
    lines += profile.buttons.map { button($0) }
    lines += location + track + profile.doors.flatMap { texts(of: $0) }
    lines += apps.map { "app: \($0.identifier), \($0.executable) of user \($0.user)" }
    lines.append("all is well")
    return lines.map(PlainText.line).joined(separator: "\n")
  }

  private var board: [String] {
    guard let first = files.first else { return [] }
    var lines = ["board: " + (profile.board.name ?? "without a name") + ", " + first]
    lines += files.dropFirst().map { "drop-in: " + $0 }
    if let source = profile.board.lines { lines.append("lines: " + text(source)) }
    if let bus = profile.board.bus { lines.append("i2c: " + text(bus)) }
    if let partition = profile.board.statePartition {
      lines.append("state: partition " + partition)
    } else if let directory = profile.board.stateDirectory {
      lines.append("state: " + directory)
    }
    return lines
  }

  /// The line about the receiver's wake-up; nil if it does not apply.
  private var sleep: String? {
    if !profile.power.sleeps { return "never" }
    let isOnBus = profile.receiver.device == .i2c && !isReceiverNamed
    if let line = profile.receiver.extInt {
      return "ended by \(line) at its pin EXTINT" + (isOnBus ? "" : ", or by its serial line")
    }
    return isOnBus ? "none; on I2C it needs a line to its pin EXTINT, ExtInt=" : nil
  }

  private var accelerometer: [String] {
    guard let accelerometer = profile.accelerometer else { return [] }
    let chip = accelerometer.chip == .auto ? "any that is found" : accelerometer.chip.rawValue
    let address = accelerometer.address.map { " at 0x" + String($0, radix: 16) } ?? ""
    let way = accelerometer.interrupt.map { "interrupt on \($0)" } ?? "polled"
    return [
      "accelerometer: \(chip)\(address), \(accelerometer.rangeG) g, \(accelerometer.rateHz) Hz, \(way)"
    ]
  }

  private var lights: [String] {
    var lines: [String] = []
    if let indicator = profile.indicator {
      let sense = indicator.sense.map { ", sensed on \($0)" } ?? ""
      let lamp =
        indicator.ledName.map { "LED \($0) of the kernel" }
        ?? light(indicator.line, indicator.isActiveLow)
      lines.append("indicator: " + lamp + sense)
    }
    if let status = profile.statusLED {
      lines.append("status light: " + light(status.line, status.isActiveLow))
    }
    return lines
  }

  private func texts(of door: Profile.Door) -> [String] {
    let places =
      (door.terminal.map { ["terminal \($0)"] } ?? [])
      + (door.socket.map { ["socket \($0)"] } ?? [])
    let mode = "0" + String(door.mode, radix: 8)
    let readers = door.grants.map { grant in
      reader(grant.reader) + (grant.isReduced ? " with reduced accuracy" : "")
    }
    var rights =
      readers.isEmpty
      ? "no reader; 'binnacle allow' names one" : readers.joined(separator: ", ")
    if profile.indicator == nil {
      rights += "; but no reader gets positions, because the board has no indicator"
    }
    return [
      "door \(door.kind.title): \(places.joined(separator: ", ")), mode \(mode), group \(door.group)",
      "door \(door.kind.title) grants: " + rights,
    ]
  }

  private func reader(_ reader: Profile.Door.Grant.Reader) -> String {
    switch reader {
    case .all: "all"
    case .terminal: "tty"
    case .user(let name):
      switch StreamDoorSettings.userID(name) {
      case nil: "\(name) (there is no such user)"
      case let number? where "\(number)" == name: name
      case let number?: "\(name) (user \(number))"
      }
    }
  }

  /// `[Location]`, which every board has.
  private var location: [String] {
    let consent = profile.consent
    let restricted =
      switch consent.restricted {
      case .none: "no app"
      case .all: "all apps"
      case .apps(let names): names.joined(separator: ", ")
      }
    return [
      "restricted: " + restricted,
      "prompts: flashes for \(seconds(consent.promptTimeout))",
      "background: an app counts as in use for \(seconds(consent.backgroundGrace)) after it has left the foreground",
    ]
  }

  private var track: [String] {
    guard let track = profile.track else { return [] }
    return [
      "track: \(track.accuracy.rawValue), a point every \(seconds(track.period)), "
        + "kept for \(CountText.words(track.daysKept, "day"))"
    ]
  }

  /// A length of time in seconds, or in milliseconds if it is no whole number of seconds.
  private func seconds(_ interval: Interval) -> String {
    let milliseconds = interval.nanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  private func light(_ line: String, _ isActiveLow: Bool) -> String {
    line + (isActiveLow ? ", lit when low" : ", lit when high")
  }

  private func button(_ button: Profile.Button) -> String {
    let level = button.isActiveLow ? "low" : "high"
    let actions = button.actions
    return "button \(button.name): \(button.line), pressed when \(level), \(button.bias.rawValue), "
      + "short: \(actions.short.rawValue), long: \(actions.long.rawValue), "
      + "double: \(actions.double.rawValue)"
  }

  private func text(_ source: Profile.LineSource) -> String {
    switch source {
    case .chip(let label): label
    case .simulated(let path): "sim:" + path
    }
  }

  private func text(_ source: Profile.BusSource) -> String {
    switch source {
    case .device(let path): path
    case .simulated(let path): "sim:" + path
    }
  }
}
