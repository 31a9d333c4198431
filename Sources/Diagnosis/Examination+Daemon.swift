import BinnacleModel

/// The daemon: there, this one, and at peace with its receiver.
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
          "the daemon does not tell user \(machine.users.name(ofUser: machine.processes.own?.userID ?? 0)) "
            + "how its receiver is: \(text)", mend: "sudo binnacle doctor"))
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
    let start =
      machine.unit == nil
      ? "binnacled " + startingOptions
      : "sudo systemctl enable --now \(ServiceUnit.name); why it ends is told by: "
        + "journalctl -u \(ServiceUnit.name) -n 20"
    findings.append(
      .fault(.daemonAbsent, "binnacled", "no daemon is running (\(reason))", mend: start))
  }

  /// The options that a daemon needs at least.
  private var startingOptions: String {
    var words: [String] = []
    if profile != nil, let board = inquiry.board { words.append("--board \(board)") }
    if let receiver = inquiry.receiver { words.append("--receiver \(receiver)") }
    if isVirtual, inquiry.receiver == nil { words.append("--receiver DEVICE") }
    return words.isEmpty ? "--board NAME" : words.joined(separator: " ")
  }

  private mutating func examineReceiver(in report: Report) {
    guard case .text(let state) = report["receiver.state"] else { return }
    var trouble: (text: String, advice: String)?
    if case .text(let text) = report["receiver.trouble"],
      case .text(let advice) = report["receiver.advice"]
    {
      trouble = (text, advice)
    }
    guard trouble != nil || !["running", "configuring"].contains(state) else { return }
    var device = "receiver"
    if case .text(let path) = report["receiver.device"] { device = path }
    // The fault of the line is reported already, and it explains the silence.
    let known: [Finding.Name] = [
      .deviceMissing, .deviceUnfit, .deviceRefused, .deviceHeld, .debugConnector, .bluetoothLine,
      .console, .loginPrompt, .busMissing, .busDriverMissing,
    ]
    if findings.contains(where: { known.contains($0.name) && $0.severity == .fault }) { return }
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
          mend: Examination.wiring))
    case "reading only, it does not answer":
      findings.append(
        .note(
          .receiverUnsettled, device, "the receiver is heard but does not answer",
          mend: Examination.wiringOfAnswers))
    case _:
      findings.append(
        .note(.receiverUnsettled, device, "the daemon says of its receiver: \(state)"))
    }
  }

  private mutating func examineRelease(in report: Report) {
    guard case .text(let version) = report["daemon.version"], version != Release.version else {
      return
    }
    findings.append(
      .note(
        .daemonOther, "binnacled",
        "the daemon that runs is release \(version), this program is \(Release.version)",
        mend: "sudo systemctl restart \(ServiceUnit.name)"))
  }
}
