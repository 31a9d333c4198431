import Testing

@testable import Console

/// Bytes of a keyboard, or noise on the line, in the editor of a line.
@Suite struct LineEditorTests {
  private static func text(of bytes: [UInt8]) throws -> LineEditor.Line {
    let keyboard = Keyboard(bytes + Array("a\n".utf8))
    let editor = try LineEditor(kind: "vt102", historyMax: 10, owner: keyboard)
    return editor.read(prompt: "board fix> ")
  }

  /// The C library decodes the former long forms of UTF-8, and libedit ends the process when it encodes such a character again.
  @Test(
    arguments: [
      [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80],
      [0xFB, 0xBF, 0xBF, 0xBF, 0xBF], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xED, 0xA0, 0x80], [0xFF], [0xBD, 0xBD],
    ] as [[UInt8]])
  func bytesThatAreNoCharacterAreLeftOut(bytes: [UInt8]) throws {
    #expect(try Self.text(of: bytes) == .text("a"))
    #expect(try Self.text(of: bytes + bytes) == .text("a"))
  }

  @Test(arguments: ["z", "ü", "東", "\u{10FFFF}"])
  func charactersOfUnicodeAreKept(character: String) throws {
    #expect(try Self.text(of: Array(character.utf8)) == .text("\(character)a"))
  }

  @Test func noNumberBeforeAKeyRepeatsIt() throws {
    #expect(try Self.text(of: Array("\u{1B}11111*".utf8)) == .text("1111*a"))
  }

  /// Control-U deletes the line, and Control-Y would insert the deleted text.
  @Test func deletedTextIsNotInsertedAgain() throws {
    #expect(try Self.text(of: Array("text".utf8) + [0x15, 0x19, 0x19]) == .text("a"))
  }
}

/// The bytes of a test; each is typed once.
private final class Keyboard: LineEditorOwner {
  private var keys: ArraySlice<UInt8>

  init(_ keys: [UInt8]) { self.keys = keys[...] }

  func nextByte() -> UInt8? { keys.popFirst() }
  func print(_ bytes: UnsafeRawBufferPointer) {}
  func asked(_ question: LineEditor.Question) {}
}
