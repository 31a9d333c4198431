import BinnacleBasics
public import BinnacleModel

/// Why updates pause, or do not: each dwell with its evidence, and the sequences that wait for it.
public struct WhyText {
  private let values: [String: Report.Value]
  private let report: Report

  /// Of what else `why` tells, as far as it is so.
  private static let others = [
    "services.on", "receiver.state", "receiver.trouble", "receiver.advice", "power.state",
    "power.cause", "clients.count",
    "security.spoofing_present", "security.jamming_present", "accelerometer.state",
    "accelerometer.fault",
  ]

  public init(_ report: Report) {
    self.report = report
    values = Dictionary(report.items.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The report with nothing but what `why` shows.
  public static func part(of report: Report) -> Report {
    var part = Report()
    for item in report.items
    where others.contains(item.name) || item.name.hasPrefix("rest.")
      || item.name.hasPrefix("clients.") && isOfPauses(item.name)
    {
      part.add(item.name, item.value)
    }
    return part
  }

  private static func isOfPauses(_ name: String) -> Bool {
    name.hasSuffix(".program") || name.hasSuffix(".is_served") || name.contains(".sequence.")
  }

  public var lines: String {
    var lines = obstacles
    var count = 0
    while number(of: "rest.\(count + 1).dwell_s") != nil {
      count += 1
      lines += rest("rest.\(count)")
    }
    let left = sequences.filter { $0.dwell == nil }
    if !left.isEmpty { lines.append("without a dwell") }
    lines += left.flatMap { line(of: $0) }
    if count == 0, left.isEmpty {
      lines.append("no program has updates open, so that nobody looks whether the board rests")
    }
    return lines.joined(separator: "\n")
  }

  /// What keeps positions from everybody.
  private var obstacles: [String] {
    var lines: [String] = []
    if values["services.on"] == .flag(false) { lines.append("location services are off") }
    if let state = text("receiver.state"), state != "running" {
      let cause = text("power.cause").map { ", because \($0)" } ?? ""
      lines += FoldedLine.pieces("the receiver: \(state)\(cause)", hang: 2)
    }
    if let trouble = text("receiver.trouble"), let advice = text("receiver.advice") {
      lines += FoldedLine.pieces("\(trouble); \(advice)", hang: 2)
    }
    if values["security.spoofing_present"] == .flag(true) {
      lines.append("the receiver says that its signals are forged")
    }
    if values["security.jamming_present"] == .flag(true) {
      lines.append("the receiver says that it is jammed")
    }
    return lines
  }

  // MARK: A dwell

  private func rest(_ name: String) -> [String] {
    guard let dwell = number(of: name + ".dwell_s") else { return [] }
    var lines = [title(name, dwell)]
    lines += evidence(name).flatMap { title, text in
      FoldedLine.pieces(
        "  " + title + String(repeating: " ", count: 15 - title.count) + text, hang: 17)
    }
    for sequence in sequences where sequence.dwell == dwell { lines += line(of: sequence) }
    return lines
  }

  private func line(of sequence: Sequence) -> [String] {
    FoldedLine.pieces("  \(sequence.title): \(sequence.state)", hang: 4)
  }

  private func title(_ name: String, _ dwell: Double) -> String {
    let since = number(of: name + ".since_s").map { " for \(DurationText.words($0))" } ?? ""
    let sources = witnesses(text(name + ".sources"))
    if values[name + ".is_stationary"] == .flag(true) {
      return "dwell of \(DurationText.words(dwell)): the board rests\(since), \(sources)"
    }
    let credit = number(of: name + ".credit_s") ?? 0
    let filled =
      credit > 0 ? "\(DurationText.words(credit)) of it are filled" : "none of it is filled"
    return "dwell of \(DurationText.words(dwell)): \(filled), \(sources)"
  }

  private func witnesses(_ sources: String?) -> String {
    switch sources {
    case "both": "by both witnesses"
    case "accelerometer": "by the accelerometer alone"
    case "receiver": "by the receiver alone"
    case _: "by no witness"
    }
  }

  private func evidence(_ name: String) -> [(String, String)] {
    var rows: [(String, String)] = []
    if let sway = number(of: name + ".sway_mg"), let most = number(of: name + ".threshold_mg") {
      let isActive = sway > most
      rows.append(
        (
          "accelerometer",
          "sways by \(tenths(sway)) mg, \(isActive ? "more" : "no more") than \(tenths(most)) mg: "
            + (isActive ? "moves" : "quiet")
        ))
    } else {
      rows.append(("accelerometer", trouble(text(name + ".accelerometer"))))
    }
    if let speed = number(of: name + ".speed_mps") {
      let sure = number(of: name + ".speed_accuracy_mps").map {
        ", sure within \(hundredths($0)) m/s"
      }
      rows.append(("receiver", "\(hundredths(speed)) m/s" + (sure ?? "")))
    } else {
      rows.append(("receiver", "no speed that counts"))
    }
    if let away = number(of: name + ".displacement_m"),
      let limit = number(of: name + ".displacement_limit_m"), limit > 0
    {
      rows.append(("place", "\(tenths(away)) m from where it began, \(tenths(limit)) m count"))
    }
    if values[name + ".goes_on"] == .flag(true) {
      rows.append(("before", "it rested here before the daemon or the power went"))
    }
    if let ended = text(name + ".ended_by") {
      let ago = number(of: name + ".ended_ago_s").map { " \(DurationText.words($0)) ago" } ?? ""
      rows.append(("before", "a rest ended\(ago): \(cause(ended))"))
    }
    return rows
  }

  private func trouble(_ word: String?) -> String {
    switch word {
    case "watching": "watches, and nothing stirs"
    case "starting": "has just begun"
    case "silent": "no use: no samples come"
    case "frozen": "no use: always the same number"
    case "damaged": "no use: most samples are no numbers"
    case "saturated": "no use: at the end of its range"
    case _:
      text("accelerometer.fault").map { "none: \($0)" } ?? "none"
    }
  }

  private func cause(_ reason: String) -> String {
    switch reason {
    case "shaken": "the accelerometer was shaken"
    case "speed": "the receiver said that it moves"
    case "displacement": "the receiver said that it is elsewhere"
    case "blind": "neither witness was heard"
    case _: reason
    }
  }

  // MARK: Sequences

  private struct Sequence {
    var title: String
    var dwell: Double?
    var state: String
  }

  private var sequences: [Sequence] {
    report.items.compactMap { item in
      let parts = item.name.split(separator: ".")
      guard parts.count == 4, parts[0] == "clients", parts[2] == "sequence",
        let stands = text(item.name)
      else { return nil }
      let program = text("clients.\(parts[1]).program") ?? "?"
      let title = "\(program) (client \(parts[1]), sequence \(parts[3]))"
      guard let pause = text(item.name + ".pause") else {
        return Sequence(title: title, dwell: nil, state: stands)
      }
      return Sequence(
        title: title, dwell: number(of: item.name + ".dwell_s"),
        state: words(of: item.name, stands, pause))
    }
  }

  private func words(of name: String, _ stands: String, _ pause: String) -> String {
    let since = number(of: name + ".pause_for_s").map { " for \(DurationText.words($0))" } ?? ""
    let filled = number(of: name + ".filled_s").map { ", \(DurationText.words($0)) filled" } ?? ""
    let configuration = stands.split(separator: ",").first.map { "\($0), " } ?? ""
    return configuration + pause + since + (pause == "settling" ? filled : "")
      + (stands.contains("no location") ? "; told that there is no location" : "")
  }

  // MARK: Values

  private func text(_ name: String) -> String? {
    guard case .text(let text) = values[name] else { return nil }
    return PlainText.line(text)
  }

  private func number(of name: String) -> Double? {
    switch values[name] {
    case .number(let number): number
    case .integer(let number): Double(number)
    case .text, .flag, nil: nil
    }
  }

  private func tenths(_ number: Double) -> String { fixed(number, 10) }
  private func hundredths(_ number: Double) -> String { fixed(number, 100) }

  private func fixed(_ number: Double, _ parts: Int64) -> String {
    let whole = Int64((min(max(number, 0), 1e12) * Double(parts)).rounded())
    let digits = String(parts + whole % parts).dropFirst()
    return "\(whole / parts).\(digits)"
  }
}
