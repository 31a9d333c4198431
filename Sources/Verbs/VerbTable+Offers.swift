/// Completion and help for a line that is being typed.
extension VerbTable {
  /// The possible next words behind the words of a line.
  ///
  /// - Parameter line: the line up to the cursor.
  /// - Returns: the words with their meaning.
  public func offers(_ line: String) -> VerbOffers {
    let typed = CommandWords(line)
    var words = typed.words
    var offers = VerbOffers()
    if typed.isLastOpen { offers.prefix = words.removeLast() }
    if words.first == program { words.removeFirst() }
    fill(&offers, behind: words)
    offers.words.removeAll { !$0.word.hasPrefix(offers.prefix) }
    return offers
  }

  private func fill(_ offers: inout VerbOffers, behind words: [String]) {
    let head = words.first == "help" ? Array(words.dropFirst()) : words
    let next = nextWords(behind: head)
    guard let verb = verb(leading: words), words.first != "help" else {
      offers.words = next
      if words.isEmpty {
        offers.words.append(VerbOffer("help", "this list, or the help of a command"))
      }
      return
    }
    let given = words.dropFirst(verb.words.count)
    let options = verb.options + sharedOptions
    if let last = given.last, let option = options.first(where: { $0.isWritten(last) }),
      option.value != nil
    {
      offers.words = option.values.map { VerbOffer($0) }
      offers.names = option.names
      if option.values.isEmpty { offers.placeholder = option.value }
      return
    }
    if given.isEmpty { offers.words = next }
    let operands = operandCount(given, options)
    if operands < verb.operandsMax {
      if operands == 0 { offers.words += verb.operandValues.map { VerbOffer($0) } }
      offers.names = operands == 0 ? verb.operandNames : nil
      let isListed = operands == 0 && !verb.operandValues.isEmpty
      if !isListed, !verb.operands.isEmpty { offers.placeholder = verb.operands }
    }
    let unused = options.filter { option in !given.contains { option.isWritten($0) } }
    offers.words += unused.map { VerbOffer("--\($0.name)", $0.summary) }
  }

  /// The verbs, and the next words of names, behind the first words of a name.
  private func nextWords(behind words: [String]) -> [VerbOffer] {
    var found: [VerbOffer] = []
    for verb in verbs where verb.words.count > words.count && verb.words.starts(with: words) {
      let next = verb.words[words.count]
      guard !found.contains(where: { $0.word == next }) else { continue }
      let isWhole = verb.words.count == words.count + 1
      found.append(VerbOffer(next, isWhole ? verb.summary : ""))
    }
    return found
  }

  private func operandCount(_ words: ArraySlice<String>, _ options: [VerbOption]) -> Int {
    var count = 0
    var takesNext = false
    for word in words {
      if takesNext {
        takesNext = false
      } else if word.hasPrefix("-"), word != "-" {
        takesNext = options.first { $0.isWritten(word) }?.value != nil && !word.contains("=")
      } else {
        count += 1
      }
    }
    return count
  }
}
