import BinnacleModel

/// Checks the daemon: it runs, it has the expected version, and it reaches its receiver.
extension Examination {
  mutating func examineDaemon() {
    switch inquiry.daemon {
    case .report(let report):
      examineReceiver(in: report)
      examineRelease(in: report)
    case .refusal(let text):
      findings.append(
        .note(
          .daemonRefuses, inquiry.runtimeDirectory,
          "the daemon reports its state to operators only, and user "
            + "\(machine.users.name(ofUser: machine.processes.own?.userID ?? 0)) is none: \(text)",
          mend: "sudo binnacle doctor"))
    case .crowded(let reason):
      findings.append(
        .fault(
          .daemonCrowded, "binnacled", reason,
          mend: "end the programs that connect without a pause"))
    case .absence(let reason): complainOfAbsence(reason)
    }
  }

  private mutating func complainOfAbsence(_ reason: String) {
    if let other = machine.processes.named("binnacled").first {
      let place = other.value(of: "--runtime")
      findings.append(
        .fault(
          .daemonElsewhere, inquiry.runtimeDirectory,
          "no daemon answers here, but one runs (process \(other.id) of user "
            + "\(machine.users.name(ofUser: other.userID)))",
          mend: place.map { "binnacle doctor --runtime \($0)" }
            ?? "say with --runtime where its socket is"))
      return
    }
    guard machine.unit != nil else {
      findings.append(
        .fault(
          .daemonAbsent, "binnacled", "no daemon is running (\(reason))",
          mend: "binnacled " + startingOptions))
      return
    }
    findings.append(
      .fault(
        .daemonAbsent, "binnacled",
        "no daemon is running (\(reason)); 'journalctl -u \(ServiceUnit.name) -n 20' shows how the last one ended",
        mend: "sudo systemctl enable --now \(ServiceUnit.name)"))
  }

  /// The options that the daemon requires.
  private var startingOptions: String {
    var words: [String] = []
    if profile != nil, let board = inquiry.board { words.append("--board \(board)") }
    if let receiver = inquiry.receiver { words.append("--receiver \(receiver)") }
    if isVirtual, inquiry.receiver == nil { words.append("--receiver DEVICE") }
    return words.isEmpty ? "--board NAME" : words.joined(separator: " ")
  }

  /// States of a receiver that works, also one that sleeps because no program wants positions or the board rests.
  private static let healthyStates = [
    "running", "configuring", "falling asleep", "asleep", "being woken",
  ]

  private mutating func examineReceiver(in report: Report) {
    guard let state = report[.receiverState] else { return }
    var trouble: (text: String, advice: String)?
    if let text = report[.receiverTrouble],
      let advice = report[.receiverAdvice]
    {
      trouble = (text, advice)
    }
    guard trouble != nil || !Examination.healthyStates.contains(state) else { return }
    var device = "receiver"
    if let path = report[.receiverDevice] { device = path }
    // The fault of the serial line was reported before, and explains the daemon's trouble.
    let known: [Finding.Name] = [
      .deviceMissing, .deviceUnfit, .deviceRefused, .deviceHeld, .debugConnector, .bluetoothLine,
      .console, .loginPrompt, .busMissing, .busDriverMissing,
    ]
    if findings.contains(where: { known.contains($0.name) && $0.severity == .fault }) { return }
    if let trouble, report[.receiverSilence] != nil {
      findings.append(.fault(.receiverSilent, device, trouble.text, mend: wiringOfReceiver))
      return
    }
    if let trouble {
      findings.append(
        .note(.receiverUnsettled, device, trouble.text, mend: trouble.advice))
      return
    }
    switch state {
    case "no answer at any speed":
      findings.append(
        .fault(
          .receiverSilent, device, "the receiver does not answer at any speed",
          mend: wiringOfReceiver))
    case "reading only, it does not answer", "reading only, it answers no orders":
      findings.append(
        .note(
          .receiverUnsettled, device, "the receiver is heard but does not answer",
          mend: Examination.wiringOfAnswers))
    case "searching", "heard, identity polled":
      findings.append(
        .note(
          .receiverUnsettled, device, "the daemon has not identified the receiver yet: \(state)",
          mend: "wait half a minute, then repeat 'binnacle doctor'"))
    case _:
      findings.append(
        .note(
          .receiverUnsettled, device, "the daemon reports of its receiver: \(state)",
          mend: "binnacle log"))
    }
  }

  private mutating func examineRelease(in report: Report) {
    guard let version = report[.daemonVersion], version != Release.version else {
      return
    }
    findings.append(
      .note(
        .daemonOther, "binnacled",
        "the daemon that runs is release \(version), this program is \(Release.version)",
        mend: "sudo systemctl restart \(ServiceUnit.name)"))
  }
}
