import BinnacleBasics
import TestSupport
import Testing

struct PlainTextTests {
  /// Text of ASCII only takes a path of its own.
  @Test(arguments: 0...UInt8(0x7F)) func eachASCIICharacterIsPlainOrReplaced(byte: UInt8) {
    let text = "a\(Character(Unicode.Scalar(byte)))b"
    let isPlain = byte >= 0x20 && byte < 0x7F
    #expect(PlainText.line(text) == (isPlain ? text : "a?b"))
    #expect(PlainText.lines(text) == (isPlain || byte == 0x0A ? text : "a?b"))
  }

  @Test func textThatIsPlainStaysAsItIs() {
    for text in ["", "tracker", "±2.1 m, 90°", "Zürich 東京 Москва שלום", "\u{1F6F0}", "e\u{301}"] {
      #expect(PlainText.line(text) == text)
      #expect(PlainText.lines(text + "\n" + text) == text + "\n" + text)
    }
  }

  @Test func controlAndInvisibleCharactersBecomeQuestionMarks() {
    #expect(PlainText.line("a\u{1B}[2Jb\u{9B}c\nd\r\ne\u{202E}f") == "a?[2Jb?c?d??e?f")
    #expect(PlainText.lines("a\u{1B}\nb\r\nc") == "a?\nb?\nc")
    #expect(
      PlainText.line(String(decoding: [0x61, 0xFF, 0xC3], as: UTF8.self)) == "a\u{FFFD}\u{FFFD}")
  }

  /// Against the tables of the standard library, whose Unicode may be older or newer than the list's.
  @Test func everyControlAndFormatCharacterOfUnicodeIsFound() {
    #expect(ForeignText.remains(in: ForeignText.sample).count > 12)
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = PlainText.line(String(scalar))
      if !ForeignText.remains(in: text).isEmpty { Issue.record("U+\(String(value, radix: 16))") }
      let isLetter =
        scalar.properties.isAlphabetic && !scalar.properties.isDefaultIgnorableCodePoint
      if isLetter, text != String(scalar) { Issue.record("letter U+\(String(value, radix: 16))") }
    }
  }
}
