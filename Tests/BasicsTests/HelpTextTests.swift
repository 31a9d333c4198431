import BinnacleBasics
import Testing

/// Help in 80 columns.
struct HelpTextTests {
  @Test func textThatFitsStaysAsItIs() {
    let text =
      "name: does it\n\n  --option NAME   what it does,\n                  in short\n\nEnd."
    #expect(HelpText.folded(text) == text)
  }

  @Test func aLongDescriptionIsFilledInItsColumn() {
    let text = """
        --option NAME   what this does, in a line that is a little too long for a console of 80
                        columns,
                        and more
        --other         short
      """
    #expect(
      HelpText.folded(text) == """
          --option NAME   what this does, in a line that is a little too long for a
                          console of 80 columns, and more
          --other         short
        """)
  }

  @Test func everyLineOfASynopsisIsFoldedByItself() {
    // The text's first word is the program's name.
    let long = Array(repeating: "[--option VALUE]", count: 5).joined(separator: " ")
    #expect(
      HelpText.folded("name: x\n\nname one \(long)\nname two") == """
        name: x

        name one [--option VALUE] [--option VALUE] [--option VALUE] [--option VALUE]
            [--option VALUE]
        name two
        """)
  }

  @Test func proseAtTheMarginIsFilled() {
    let text = "name: x\n\n" + String(repeating: "word ", count: 17) + "\nlast."
    #expect(
      HelpText.folded(text) == "name: x\n\n" + String(repeating: "word ", count: 15)
        + "word\nword last.")
  }

  @Test func aWordThatFitsNowhereStaysWhole() {
    let word = String(repeating: "x", count: 90)
    #expect(HelpText.folded("  \(word) y") == "  \(word)\n  y")
  }
}
