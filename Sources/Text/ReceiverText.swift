import BinnacleBasics
public import BinnacleModel

/// The receiver as text: identity, line, configuration, threats, and the time to the first fix.
public struct ReceiverText {
  private let report: ReportReader

  public init(_ report: Report) { self.report = ReportReader(report) }

  /// The report with only the keys about the receiver.
  public static func part(of report: Report) -> Report {
    let others = [
      ReportKey.assistanceReceiver.name, ReportKey.fixFirstAfter.name, ReportKey.fixAge.name,
      ReportKey.damageBytes.name,
    ]
    return report.filtered {
      $0.hasPrefix("receiver.") || $0.hasPrefix("security.") || $0.hasPrefix("damage.")
        || others.contains($0)
    }
  }

  public var lines: String {
    let rows: [(String, String?)] = [
      ("receiver", identity), ("hardware", report[.assistanceReceiver]), ("state", state),
      ("line", line), ("quality", quality), ("bus", bus), ("configuration", configuration),
      ("not supported", report[.receiverUnsupported]), ("differs", report[.receiverDifferences]),
      ("restarts", restarts), ("first fix", firstFix), ("jamming", threat("jamming")),
      ("spoofing", threat("spoofing")), ("trouble", report[.receiverTrouble]),
      ("mend", report[.receiverAdvice]),
    ]
    return rows.compactMap { title, text in
      text.map { text in
        FoldedLine.pieces(
          title + String(repeating: " ", count: max(1, 15 - title.count)) + text, hang: 15
        ).joined(separator: "\n")
      }
    }.joined(separator: "\n")
  }

  private var identity: String? {
    guard let name = report[.receiverModule] ?? report[.receiverGeneration] else { return nil }
    let firmware = report[.receiverFirmware].map { ", firmware \($0)" } ?? ""
    let version = report[.receiverProtocol].map { ", protocol \($0)" } ?? ""
    let isAnother = report[.receiverIsAnother] == true
    return "u-blox \(name)\(firmware)\(version)"
      + (isAnother ? "; it is another one than last time" : "")
  }

  private var state: String? {
    guard let state = report[.receiverState] else { return "unknown" }
    let age = report.duration(.receiverLastFrameAge).map { ", last heard \($0) ago" } ?? ""
    return state + age
  }

  private var line: String? {
    guard let device = report[.receiverDevice] else { return nil }
    let port = report[.receiverPort].map { ", \($0)" } ?? ""
    let speed = report[.receiverSpeed].map { ", \($0) baud" } ?? ""
    return device + port + speed
  }

  private var quality: String? {
    guard let frames = report[.receiverFrames] else { return nil }
    let damage = report[.receiverDamage].map { "\($0) % damaged" } ?? "too few to judge"
    let bytes = report[.damageBytes].map { ", \(CountText.words($0, "byte")) discarded" } ?? ""
    return "\(CountText.words(frames, "message")), \(damage)\(bytes)"
  }

  private var bus: String? {
    guard let nacks = report[.busNotAcknowledged], let timeOuts = report[.busTimeOuts] else {
      return nil
    }
    return CountText.words(nacks, "transfer") + " not acknowledged, \(timeOuts) timed out, "
      + report.count(.busBogusLengths, "impossible length")
  }

  private var configuration: String? {
    guard let isConfigured = report[.receiverIsConfigured] else { return nil }
    let rate = report[.receiverRate].map { "\($0) Hz" }
    let parts = [rate, report[.receiverModel], report[.receiverPositionSource]].compactMap { $0 }
    let unanswered = report[.receiverUnanswered].flatMap {
      $0 > 0 ? ", \(CountText.words($0, "question")) unanswered" : nil
    }
    return (isConfigured ? "verified" : "not verified")
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")) + (unanswered ?? "")
  }

  private var restarts: String? {
    guard let resets = report[.receiverResets] else { return nil }
    let openings = report.count(.receiverOpenings, "opening")
    let searches = report.count(.receiverSearches, "search", "searches")
    let losses = report.count(.receiverPositionLosses, "time")
    return "\(resets) noticed; \(openings) of the device, \(searches) through all speeds, "
      + "\(losses) without positions"
  }

  private var firstFix: String? {
    report.duration(.fixFirstAfter).map { "\($0) after the daemon's start" } ?? "none yet"
  }

  private func threat(_ name: String) -> String? {
    guard let isIndicated = report[.threatIndicated(name)] else { return nil }
    guard isIndicated else { return "not reported since the daemon's start" }
    let now = report[.threatPresent(name)] == true ? "reported now" : "not now"
    let count = report[.threatBeginnings(name)].map { ", " + CountText.words($0, "time") } ?? ""
    let last = report[.threatTime(name)].map { ", last at \($0)" } ?? ""
    return now + count + last
  }
}
