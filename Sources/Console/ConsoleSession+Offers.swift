import BinnacleBasics
import Verbs

/// The words that only the prompt knows, in help and completion.
extension ConsoleSession {
  /// `exit`; `unlock` and `lock` where they can have an effect.
  private var ownOffers: [VerbOffer] {
    let lock = [
      VerbOffer("unlock", "let this console change things"),
      VerbOffer("lock", "take the rights of 'unlock' away again"),
    ]
    return (daemon.hasLock && daemon.lock.opens ? lock : [])
      + [VerbOffer("exit", "leave; Ctrl-D does the same")]
  }

  /// The end of the page of `help`.
  var ownWords: String {
    let rows = ownOffers.map { (left: $0.word, right: $0.summary) }
    return "\nAt this prompt:\n\n" + HelpText.columns(rows).joined(separator: "\n") + "\n"
  }

  /// The text of `help WORD`; nil for a word of the command table.
  func ownHelp(_ words: [String]) -> String? {
    guard words.count == 2, words[0] == "help" else { return nil }
    guard let own = ownOffers.first(where: { $0.word == words[1] }) else {
      guard words[1] == "unlock", daemon.hasLock else { return nil }
      return "unlock: this board has no PIN; root sets a PIN by: binnacle console --set-pin"
    }
    guard own.word == "unlock" else { return "\(own.word): \(own.summary)" }
    let ways = [
      daemon.lock.presence.map { "\($0) at the board, then type 'unlock' within 30 s" },
      daemon.lock.hasPIN ? "type 'unlock', and then the PIN" : nil,
    ]
    return "\(own.word): \(own.summary); " + ways.compactMap { $0 }.joined(separator: "; or ")
  }

  /// The possible next words of a line.
  func offers(behind line: String) -> VerbOffers {
    var offers = verbs.offers(line)
    let typed = CommandWords(line)
    if typed.words.count == (typed.isLastOpen ? 1 : 0) {
      offers.words += ownOffers.filter { $0.word.hasPrefix(offers.prefix) }
    }
    return offers
  }
}
