import BinnacleBasics
import BinnacleModel
import Verbs

/// The continuation of a line that is being typed.
struct Completion {
  private let offers: VerbOffers
  /// The words that may be typed, each as it stands on the line.
  private let words: [String]

  /// - Parameters:
  ///   - offers: the possible next words.
  ///   - names: the names of a kind; called only if they may stand here.
  init(_ offers: VerbOffers, names: (VerbNames) -> [String]) {
    self.offers = offers
    let known = offers.names.map(names) ?? []
    let fitting = known.filter { $0.hasPrefix(offers.prefix) }
    // Options are many, so a list has them only if the word begins like one.
    let plain = offers.words.map(\.word).filter {
      !$0.hasPrefix("-") || offers.prefix.hasPrefix("-")
    }
    words = plain + fitting.map { AppID.shellWord($0) }
    if words.isEmpty { hiddenOptions = offers.words.map(\.word) } else { hiddenOptions = [] }
  }

  private let hiddenOptions: [String]

  /// The text that the key TAB adds; nil if the words do not agree on any.
  var insertion: String? {
    guard let first = words.first else { return nil }
    var common = first
    for word in words.dropFirst() {
      common = String(zip(common, word).prefix { $0 == $1 }.map(\.0))
    }
    guard common.hasPrefix(offers.prefix) else { return nil }
    let rest = String(common.dropFirst(offers.prefix.count))
    if words.count == 1 { return rest + " " }
    return rest.isEmpty ? nil : rest
  }

  /// The words in columns; empty without any.
  func list(columns: Int) -> String {
    let list = words.isEmpty ? hiddenOptions : words
    guard let width = list.map(\.count).max() else { return "" }
    let perRow = max(1, columns / (width + 2))
    return stride(from: 0, to: list.count, by: perRow).map { start in
      let row = list[start..<min(start + perRow, list.count)]
      let cells = row.map { $0 + String(repeating: " ", count: width + 2 - $0.count) }
      return String(cells.joined().reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  /// The words with their meaning, for the key `?`.
  var explanation: String {
    var rows = offers.words.map { (left: $0.word, right: $0.summary) }
    let listed = Set(offers.words.map(\.word))
    rows += words.filter { !listed.contains($0) }.map { (left: $0, right: "") }
    if let placeholder = offers.placeholder { rows.append((left: placeholder, right: "")) }
    if rows.isEmpty { return "  Enter: the command is complete" }
    return HelpText.columns(rows).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
