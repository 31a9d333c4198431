import BinnaclePosix
import Testing

struct ArgumentsTests {
  private let options: [Arguments.Option] = [.value("board"), .value("seed"), .flag("check")]

  private func parse(_ words: String..., positionalsMax: Int = 9) throws -> Arguments {
    try Arguments(words, options: options, positionalsMax: positionalsMax)
  }

  private func complaint(_ words: String..., positionalsMax: Int = 9) -> String? {
    do {
      _ = try Arguments(words, options: options, positionalsMax: positionalsMax)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func valuesStandBesideOrBehindTheirName() throws {
    let arguments = try parse("--board", "a=b", "--seed=7", "--check", "file", "-")
    #expect(arguments.value("board") == "a=b")
    #expect(try arguments.integer("seed", in: 0...9) == 7)
    #expect(arguments.has("check"))
    #expect(arguments.positionals == ["file", "-"])
    #expect(try parse().value("board") == nil)
    #expect(try !parse().has("check"))
  }

  @Test func twoDashesEndTheOptions() throws {
    #expect(try parse("--", "--check", "-x").positionals == ["--check", "-x"])
  }

  @Test func anOptionOfTheProgramIsNoValueOfTheOptionBeforeIt() throws {
    #expect(complaint("--board", "--check") == "option '--board' needs a value")
    #expect(complaint("--board", "--seed=7") == "option '--board' needs a value")
    #expect(try parse("--board=--check").value("board") == "--check")
    #expect(try parse("--board", "--other").value("board") == "--other")
    #expect(try parse("--seed", "-7").integer("seed", in: -9...9) == -7)
    #expect(try parse("--board=").value("board") == "")
  }

  @Test func aWrongArgumentIsReported() throws {
    #expect(complaint("--bord", "x") == "unknown option '--bord'; did you mean '--board'?")
    #expect(complaint("--zzzzzz") == "unknown option '--zzzzzz'")
    #expect(complaint("-b") == "unknown option '-b'")
    #expect(complaint("--board") == "option '--board' needs a value")
    #expect(complaint("--check=1") == "option '--check' takes no value")
    #expect(complaint("--check", "--check") == "option '--check' is given twice")
    #expect(complaint("a", "b", positionalsMax: 1) == "unexpected argument 'b'")
    let arguments = try parse("--seed=x")
    #expect(
      throws: Arguments.UsageError("option '--seed': 'x' is not a whole number from 1 to 5")
    ) { try arguments.integer("seed", in: 1...5) }
    #expect(throws: Arguments.UsageError.self) { try arguments.number("seed", in: 0...1) }
    #expect(throws: Arguments.UsageError.self) {
      try parse("--seed=nan").number("seed", in: 0...1)
    }
  }
}
