/// A fault of a machine, or a note about it.
public struct Finding: Equatable, Sendable {
  public enum Severity: String, Sendable {
    /// A function does not work, or will not work after the next start.
    case fault
    /// The function works, but the operator should know the fact.
    case note
  }

  /// The kind of the finding: a word for programs; its meaning never changes.
  public let name: Name
  public let severity: Severity
  /// The file, device, line or program of the finding.
  public let subject: String
  /// The description of the fault.
  public let text: String
  /// The line or the command that repairs the fault; nil: no repair is needed.
  public let mend: String?

  public enum Name: String, CaseIterable, Sendable {
    case profileMissing = "profile-missing"
    case profileDamaged = "profile-damaged"
    case profileWrong = "profile-wrong"
    case profileNotNamed = "profile-not-named"
    case appDamaged = "app-damaged"
    case appAbsent = "app-absent"
    case receiverNotNamed = "receiver-not-named"
    case deviceMissing = "device-missing"
    case deviceUnfit = "device-unfit"
    case deviceRefused = "device-refused"
    case deviceHeld = "device-held"
    case debugConnector = "debug-connector"
    case bluetoothLine = "bluetooth-line"
    case miniUART = "mini-uart"
    case console = "console"
    case loginPrompt = "login-prompt"
    case modemSearch = "modem-search"
    case otherServer = "other-server"
    case busMissing = "bus-missing"
    case busDriverMissing = "bus-driver-missing"
    case chipMissing = "chip-missing"
    case lineMissing = "line-missing"
    case lineHeld = "line-held"
    case kernelDriver = "kernel-driver"
    case stateForgotten = "state-forgotten"
    case stateRefused = "state-refused"
    case stateDamaged = "state-damaged"
    case clockNotSet = "clock-not-set"
    case clockWithoutBattery = "clock-without-battery"
    case daemonAbsent = "daemon-absent"
    case daemonElsewhere = "daemon-elsewhere"
    case daemonRefuses = "daemon-refuses"
    case daemonCrowded = "daemon-crowded"
    case daemonOther = "daemon-other"
    case receiverAnswers = "receiver-answers"
    case receiverNotAsked = "receiver-not-asked"
    case receiverSleepless = "receiver-sleepless"
    case receiverSilent = "receiver-silent"
    case receiverUnsettled = "receiver-unsettled"
    case busFails = "bus-fails"
    case accelerometerFound = "accelerometer-found"
    case accelerometerNotAsked = "accelerometer-not-asked"
    case accelerometerMissing = "accelerometer-missing"
    case accelerometerUnknown = "accelerometer-unknown"
    case accelerometerFails = "accelerometer-fails"
    case accelerometerDoubtful = "accelerometer-doubtful"
    case accelerometerNoisy = "accelerometer-noisy"
    case panelNotTried = "panel-not-tried"
    case lineFails = "line-fails"
    case lampReadBack = "lamp-read-back"
    case lampUnseen = "lamp-unseen"
    case buttonSilent = "button-silent"
    case buttonStuck = "button-stuck"
    case buttonUnclear = "button-unclear"
  }

  /// The lines for a person: the finding, and the remedy alone in a line, so that it can be copied.
  public var lines: [String] {
    ["\(severity.rawValue): \(subject): \(text)"] + (mend.map { ["  mend: \($0)"] } ?? [])
  }

  /// The finding and its remedy in one sentence.
  public var line: String {
    let rest = mend.map { "; to mend it: \($0)" } ?? ""
    return "\(severity.rawValue): \(subject): \(text)\(rest)"
  }

  static func fault(_ name: Name, _ subject: String, _ text: String, mend: String) -> Finding {
    Finding(name: name, severity: .fault, subject: subject, text: text, mend: mend)
  }

  static func note(
    _ name: Name, _ subject: String, _ text: String, mend: String? = nil
  ) -> Finding {
    Finding(name: name, severity: .note, subject: subject, text: text, mend: mend)
  }
}
