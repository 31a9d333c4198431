import BinnacleBasics
import BinnacleModel

/// The problems in a report, each with a command that solves the problem; the worst problem is first.
struct StatusTroubles {
  let report: ReportReader

  struct Trouble: Equatable {
    var subject: String
    var text: String
    /// A command, or an action of the operator.
    var remedy: String
  }

  init(_ report: ReportReader) {
    self.report = report
  }

  var all: [Trouble] {
    [damage, services, unkept, mark, prompts, receiver, positions].compactMap { $0 } + security
      + [accelerometer, track].compactMap { $0 } + lights + buttons + [manifests].compactMap { $0 }
      + readers
  }

  private var damage: Trouble? {
    report[.stateDamage].map {
      // State that cannot be read now may be whole. Its acceptance would give it up.
      let isReadable = report[.stateKept] != false
      let remedy =
        isReadable
        ? LossAcceptance.command(daemonUserID: report[.daemonUserID]) : "binnacle doctor"
      return Trouble(subject: "state", text: $0, remedy: remedy)
    }
  }

  /// With damaged state, services stay off until the operator accepts the loss.
  private var services: Trouble? {
    guard report[.servicesOn] == false, damage == nil else { return nil }
    return Trouble(
      subject: "services", text: "location services are off for every program",
      remedy: "binnacle services on")
  }

  private var prompts: Trouble? {
    guard let count = report[.promptsOpen], count > 0 else { return nil }
    return Trouble(
      subject: "apps",
      text: (count == 1 ? "an app" : "\(count) apps") + " would like to use your location",
      remedy: "binnacle prompts")
  }

  private var unkept: Trouble? {
    guard report[.stateKept] == false, !isFaultOfDamage else { return nil }
    return Trouble(
      subject: "state", text: "nothing is kept: " + (report[.stateFault] ?? "unknown"),
      remedy: "binnacle doctor")
  }

  /// Whether the line about damage names the fault already.
  private var isFaultOfDamage: Bool {
    guard let damage = report[.stateDamage] else { return false }
    return report[.stateFault].map { damage.contains($0) } ?? true
  }

  private var mark: Trouble? {
    report[.stateMarkFault].map {
      Trouble(subject: "state", text: $0, remedy: "binnacle doctor")
    }
  }

  private var receiver: Trouble? {
    let device = report[.receiverDevice].map { " (\($0))" } ?? ""
    if let text = report[.receiverTrouble] {
      let advice = report[.receiverAdvice] ?? "binnacle doctor"
      // The receiver of a silent line may be on another device.
      let place = report[.receiverSilence] == nil ? "" : device
      return Trouble(subject: "receiver", text: text + place, remedy: advice)
    }
    guard let state = report[.receiverState], StatusTroubles.badStates.contains(state) else {
      return nil
    }
    return Trouble(subject: "receiver", text: state + device, remedy: "binnacle doctor")
  }

  /// States of a receiver that sends no positions, or that is not configured as the daemon requires.
  private static let badStates = [
    "waiting for the device", "no answer at any speed", "reading only, it does not answer",
    "reading only, it answers no orders", "configured, but it sends no positions",
    "running, not configured as wanted",
  ]

  /// Reports apps without a location while the receiver itself works.
  private var positions: Trouble? {
    guard receiver == nil else { return nil }
    let isTold = report.members("clients.", ".program").contains { client in
      report.members("clients.\(client).sequence.", "").contains { sequence in
        report[.sequenceStands(client, sequence)]?.hasSuffix(
          "told that there is no location") == true
      }
    }
    guard isTold else { return nil }
    let age = report[.fixAge].map { " for \(DurationText.words($0))" } ?? " yet"
    // Without messages of the receiver the sky is not known to be the cause.
    let isHeard = report[.receiverLastFrameAge].map { $0 < StatusTroubles.heardAgeMax } ?? false
    return Trouble(
      subject: "fix", text: "no position\(age)",
      remedy: (isHeard ? "give the antenna a view of the sky; " : "") + "binnacle doctor")
  }

  /// A receiver sends messages each second.
  private static let heardAgeMax = 2.0

  private var security: [Trouble] {
    [("spoofing", "false satellites"), ("jamming", "radio interference")].compactMap {
      name, words in
      guard report[.threatPresent(name)] == true else { return nil }
      return Trouble(
        subject: "receiver", text: "the receiver reports \(name) (\(words))",
        remedy: "do not rely on positions; move the antenna")
    }
  }

  private var accelerometer: Trouble? {
    guard let state = report[.accelerometerState], ["failed", "doubtful"].contains(state)
    else { return nil }
    return Trouble(
      subject: "accelerometer", text: report[.accelerometerFault] ?? state,
      remedy: "binnacle doctor")
  }

  private var track: Trouble? {
    guard report[.trackIsOn] == true, report[.trackKept] == false else { return nil }
    return Trouble(
      subject: "track", text: "not kept: " + (report[.trackFault] ?? "unknown"),
      remedy: "binnacle doctor")
  }

  private var lights: [Trouble] {
    [("indicator", "indicator"), ("status_light", "status light")].compactMap { name, subject in
      let isFaulty =
        report[.lampIsFaulty(name)] == true || name == "indicator" && report[.senseIsFaulty] == true
      let fault = report[.lineFault(name)] ?? (name == "indicator" ? report[.senseFault] : nil)
      guard isFaulty || fault != nil else { return nil }
      return Trouble(
        subject: subject, text: fault ?? "the light is not as it was set",
        remedy: "binnacle doctor --interactive")
    }
  }

  private var buttons: [Trouble] {
    report.members("buttons.", ".fault").compactMap { name in
      report[.lineFault("buttons.\(name)")].map {
        Trouble(subject: "button \(name)", text: $0, remedy: "binnacle doctor")
      }
    }
  }

  private var manifests: Trouble? {
    guard let count = report[.appsMistakes], count > 0 else { return nil }
    return Trouble(
      subject: "apps", text: CountText.words(count, "mistake") + " in manifests of apps",
      remedy: "binnacled --check")
  }

  /// Readers of doors that get no positions, which no prompt and no update reports.
  private var readers: [Trouble] {
    let clients = report.members("clients.", ".app").filter { client in
      report[.clientApp(client)]?.hasPrefix("door.") == true
        && report[.clientIsServed(client)] == false
    }
    var apps: [String] = []
    for app in clients.compactMap({ report[.clientApp($0)] }) where !apps.contains(app) {
      apps.append(app)
    }
    return apps.map {
      Trouble(
        subject: "door", text: "the reader \($0) has no right to positions",
        remedy: "binnacle why \($0)")
    }
  }
}
