/// What is not well in a report, each with the command that mends it; the worst first.
struct StatusTroubles {
  let report: ReportReader

  struct Trouble: Equatable {
    var subject: String
    var text: String
    /// A command, or what a person does.
    var remedy: String
  }

  init(_ report: ReportReader) {
    self.report = report
  }

  var all: [Trouble] {
    [damage, services, unkept, receiver, positions].compactMap { $0 } + security
      + [accelerometer, track].compactMap { $0 } + lights + buttons + [manifests].compactMap { $0 }
  }

  private var damage: Trouble? {
    report.text("state.damage").map {
      Trouble(subject: "state", text: $0, remedy: "sudo binnacle state accept")
    }
  }

  /// With damaged state services stay off until the loss is accepted.
  private var services: Trouble? {
    guard report.flag("services.on") == false, damage == nil else { return nil }
    return Trouble(
      subject: "services", text: "location services are off for every program",
      remedy: "binnacle services on")
  }

  private var unkept: Trouble? {
    guard report.flag("state.kept") == false else { return nil }
    return Trouble(
      subject: "state", text: "nothing is kept: " + (report.text("state.fault") ?? "unknown"),
      remedy: "binnacle doctor")
  }

  private var receiver: Trouble? {
    if let text = report.text("receiver.trouble") {
      let advice = report.text("receiver.advice") ?? "binnacle doctor"
      return Trouble(subject: "receiver", text: text, remedy: advice)
    }
    guard let state = report.text("receiver.state"), StatusTroubles.badStates.contains(state) else {
      return nil
    }
    let device = report.text("receiver.device").map { " (\($0))" } ?? ""
    return Trouble(subject: "receiver", text: state + device, remedy: "binnacle doctor")
  }

  /// States of a receiver that gives no positions, or is not as the daemon wants it.
  private static let badStates = [
    "waiting for the device", "no answer at any speed", "reading only, it does not answer",
    "reading only, it answers no orders", "configured, but it sends no positions",
    "running, not configured as wanted",
  ]

  /// An app was told that there is no location, and the receiver itself is well.
  private var positions: Trouble? {
    guard receiver == nil else { return nil }
    let isTold = report.members("clients.", ".program").contains { client in
      report.members("clients.\(client).sequence.", "").contains { sequence in
        report.text("clients.\(client).sequence.\(sequence)")?.hasSuffix(
          "told that there is no location") == true
      }
    }
    guard isTold else { return nil }
    let age = report.number("fixes.last_age_s").map { " for \(DurationText.words($0))" } ?? " yet"
    return Trouble(
      subject: "fix", text: "no position\(age)",
      remedy: "give the antenna a view of the sky; binnacle doctor")
  }

  private var security: [Trouble] {
    [("spoofing", "false satellites"), ("jamming", "radio interference")].compactMap {
      name, words in
      guard report.flag("security.\(name)_present") == true else { return nil }
      return Trouble(
        subject: "receiver", text: "the receiver reports \(name) (\(words))",
        remedy: "do not rely on positions; move the antenna")
    }
  }

  private var accelerometer: Trouble? {
    guard let state = report.text("accelerometer.state"), ["failed", "doubtful"].contains(state)
    else { return nil }
    return Trouble(
      subject: "accelerometer", text: report.text("accelerometer.fault") ?? state,
      remedy: "binnacle doctor")
  }

  private var track: Trouble? {
    guard report.flag("track.is_on") == true, report.flag("track.kept") == false else { return nil }
    return Trouble(
      subject: "track", text: "not kept: " + (report.text("track.fault") ?? "unknown"),
      remedy: "binnacle doctor")
  }

  private var lights: [Trouble] {
    [("indicator", "indicator"), ("status_light", "status light")].compactMap { name, subject in
      let isFaulty =
        report.flag("\(name).is_faulty") == true || report.flag("\(name).sense_is_faulty") == true
      let fault = report.text("\(name).fault") ?? report.text("\(name).sense_fault")
      guard isFaulty || fault != nil else { return nil }
      return Trouble(
        subject: subject, text: fault ?? "the light is not as it was set",
        remedy: "binnacle doctor --interactive")
    }
  }

  private var buttons: [Trouble] {
    report.members("buttons.", ".fault").compactMap { name in
      report.text("buttons.\(name).fault").map {
        Trouble(subject: "button \(name)", text: $0, remedy: "binnacle doctor")
      }
    }
  }

  private var manifests: Trouble? {
    guard let count = report.integer("apps.mistakes"), count > 0 else { return nil }
    return Trouble(
      subject: "apps", text: "\(count) mistakes in manifests of apps", remedy: "binnacled --check")
  }
}
