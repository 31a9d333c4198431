import Testing
import Verbs

struct VerbOffersTests {
  private let table = VerbTable<Int>(
    program: "tool", summary: "do things",
    verbs: [
      Verb(
        "look", "look at a thing", operands: "[THING]", operandsMax: 1,
        operandValues: ["near", "far"],
        options: [
          .flag("json", "one JSON object"), .value("output", "FILE", letter: "o", "where"),
          .value("form", "NAME", among: ["short", "long"], "short or long"),
        ], action: 1),
      Verb("keep", "list what is kept", action: 2),
      Verb("keep erase", "forget it", operands: "WHAT", operandsMax: 1, action: 3),
      Verb(
        "allow", "allow an app", operands: "APP", operandsMax: 1, operandNames: .apps, action: 4),
    ])

  private func words(_ line: String) -> [String] { table.offers(line).words.map(\.word) }

  @Test func anEmptyLineOffersAllCommands() {
    #expect(words("") == ["look", "keep", "allow", "help"])
    #expect(words("l") == ["look"])
    #expect(words("tool k") == ["keep"])
    #expect(words("help k") == ["keep"])
  }

  @Test func optionsAndValuesFollowACommand() {
    #expect(words("look ") == ["near", "far", "--json", "--output", "--form"])
    #expect(words("look --form ") == ["short", "long"])
    #expect(words("look --form l") == ["long"])
    #expect(words("look --json ") == ["near", "far", "--output", "--form"])
    #expect(words("look far ") == ["--json", "--output", "--form"])
    #expect(words("look -o x far --f") == ["--form"])
    #expect(words("keep ") == ["erase"])
  }

  @Test func namesAndPlaceholdersStandWhereNoListIs() {
    #expect(table.offers("allow o").names == .apps)
    #expect(table.offers("allow o").prefix == "o")
    #expect(table.offers("allow org ").names == nil)
    #expect(table.offers("look --output ").placeholder == "FILE")
    #expect(table.offers("keep erase ").placeholder == "WHAT")
  }

  @Test func quotationMarksAndBackslashesKeepBlanks() {
    #expect(CommandWords("a 'b c' \"d e\" f\\ g").words == ["a", "b c", "d e", "f g"])
    #expect(CommandWords("a '").isQuoteOpen)
    #expect(!CommandWords("a ").isLastOpen)
    #expect(CommandWords("a ''").words == ["a", ""])
  }
}
