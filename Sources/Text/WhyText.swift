import BinnacleBasics
public import BinnacleModel

/// The reasons why updates pause or continue: each dwell with its evidence, and the sequences that wait for it.
public struct WhyText {
  private let values: ReportReader
  private let report: Report

  /// Further keys that `why` shows if they apply.
  private static let others = [
    ReportKey.servicesOn.name,
    ReportKey.receiverState.name,
    ReportKey.receiverTrouble.name,
    ReportKey.receiverAdvice.name,
    ReportKey.powerState.name,
    ReportKey.powerCause.name,
    ReportKey.clientsCount.name,
    ReportKey.threatPresent("spoofing").name,
    ReportKey.threatPresent("jamming").name,
    ReportKey.accelerometerState.name,
    ReportKey.accelerometerFault.name,
  ]

  public init(_ report: Report) {
    self.report = report
    values = ReportReader(report)
  }

  /// The report with only the keys that `why` shows.
  public static func part(of report: Report) -> Report {
    report.filtered {
      others.contains($0) || $0.hasPrefix("rest.") || $0.hasPrefix("clients.") && isOfPauses($0)
    }
  }

  private static func isOfPauses(_ name: String) -> Bool {
    name.hasSuffix(".program") || name.hasSuffix(".is_served") || name.contains(".sequence.")
  }

  public var lines: String {
    var lines = obstacles
    var count = 0
    while values[.restDwell("rest.\(count + 1)")] != nil {
      count += 1
      lines += rest("rest.\(count)")
    }
    let left = sequences.filter { $0.dwell == nil }
    if !left.isEmpty { lines.append("without a dwell") }
    lines += left.flatMap { line(of: $0) }
    if count == 0, left.isEmpty {
      lines.append("no program has updates open, so the rest of the board is not judged")
    }
    return lines.joined(separator: "\n")
  }

  /// The reasons why no app gets positions.
  private var obstacles: [String] {
    var lines: [String] = []
    if values[.servicesOn] == false { lines.append("location services are off") }
    if let state = values[.receiverState], state != "running" {
      let cause = values[.powerCause].map { ", because \($0)" } ?? ""
      lines += FoldedLine.pieces("the receiver: \(state)\(cause)", hang: 2)
    }
    if let trouble = values[.receiverTrouble], let advice = values[.receiverAdvice] {
      lines += FoldedLine.pieces("\(trouble); \(advice)", hang: 2)
    }
    if values[.threatPresent("spoofing")] == true {
      lines.append("the receiver says that its signals are forged")
    }
    if values[.threatPresent("jamming")] == true {
      lines.append("the receiver says that it is jammed")
    }
    return lines
  }

  // MARK: A dwell

  private func rest(_ name: String) -> [String] {
    guard let dwell = values[.restDwell(name)] else { return [] }
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
    let since = values[.restSince(name)].map { " for \(DurationText.words($0))" } ?? ""
    let sources = witnesses(values[.restSources(name)])
    if values[.restIsStationary(name)] == true {
      return "dwell of \(DurationText.words(dwell)): the board rests\(since), \(sources)"
    }
    let credit = values[.restCredit(name)] ?? 0
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
    if let sway = values[.restSway(name)], let most = values[.restThreshold(name)] {
      let isActive = sway > most
      rows.append(
        (
          "accelerometer",
          "sways by \(tenths(sway)) mg, \(isActive ? "more" : "no more") than \(tenths(most)) mg: "
            + (isActive ? "moves" : "quiet")
        ))
    } else {
      rows.append(("accelerometer", trouble(values[.restAccelerometer(name)])))
    }
    if let speed = values[.restSpeed(name)] {
      let sure = values[.restSpeedAccuracy(name)].map {
        ", sure within \(hundredths($0)) m/s"
      }
      rows.append(("receiver", "\(hundredths(speed)) m/s" + (sure ?? "")))
    } else {
      rows.append(("receiver", "no speed that counts"))
    }
    if let away = values[.restDisplacement(name)],
      let limit = values[.restDisplacementLimit(name)], limit > 0
    {
      rows.append(
        (
          "place",
          "\(tenths(away)) m from the place where the dwell began, limit \(tenths(limit)) m"
        ))
    }
    if values[.restGoesOn(name)] == true {
      rows.append(("before", "the board rested here before the daemon or the power ended"))
    }
    if let ended = values[.restEndedBy(name)] {
      let ago = values[.restEndedAgo(name)].map { " \(DurationText.words($0)) ago" } ?? ""
      rows.append(("before", "a rest ended\(ago): \(cause(ended))"))
    }
    return rows
  }

  private func trouble(_ word: String?) -> String {
    switch word {
    case "watching": "active, no movement"
    case "starting": "has just begun"
    case "silent": "no use: no samples come"
    case "frozen": "no use: always the same number"
    case "damaged": "no use: most samples are no numbers"
    case "saturated": "no use: at the end of its range"
    case _:
      values[.accelerometerFault].map { "none: \($0)" } ?? "none"
    }
  }

  private func cause(_ reason: String) -> String {
    switch reason {
    case "shaken": "the accelerometer was shaken"
    case "speed": "the receiver said that it moves"
    case "displacement": "the receiver said that it is elsewhere"
    case "blind": "no data from accelerometer or receiver"
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
      let parts = item.name.split(separator: ".").map(String.init)
      guard parts.count == 4, parts[0] == "clients", parts[2] == "sequence",
        let stands = values[.sequenceStands(parts[1], parts[3])]
      else { return nil }
      let program = values[.clientProgram(parts[1])] ?? "?"
      let title = "\(program) (client \(parts[1]), sequence \(parts[3]))"
      guard let pause = values[.sequencePause(parts[1], parts[3])] else {
        return Sequence(title: title, dwell: nil, state: stands)
      }
      return Sequence(
        title: title, dwell: values[.sequenceDwell(parts[1], parts[3])],
        state: words(of: parts[1], parts[3], stands, pause))
    }
  }

  private func words(
    of client: String, _ sequence: String, _ stands: String, _ pause: String
  ) -> String {
    let since =
      values[.sequencePauseTime(client, sequence)].map { " for \(DurationText.words($0))" } ?? ""
    let filled =
      values[.sequenceFilled(client, sequence)].map { ", \(DurationText.words($0)) filled" } ?? ""
    let configuration = stands.split(separator: ",").first.map { "\($0), " } ?? ""
    return configuration + pause + since + (pause == "settling" ? filled : "")
      + (stands.contains("no location") ? "; told that there is no location" : "")
  }

  // MARK: Values

  private func tenths(_ number: Double) -> String { fixed(number, 10) }
  private func hundredths(_ number: Double) -> String { fixed(number, 100) }

  private func fixed(_ number: Double, _ parts: Int64) -> String {
    let whole = Int64((min(max(number, 0), 1e12) * Double(parts)).rounded())
    let digits = String(parts + whole % parts).dropFirst()
    return "\(whole / parts).\(digits)"
  }
}
