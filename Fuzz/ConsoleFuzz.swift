import BinnacleModel
import BinnaclePosix
import Verbs

@testable import Console

/// The words of a line have no characters beside those of the line, and come back from quotation marks.
func fuzzCommandWords(_ bytes: [UInt8]) {
  let line = String(decoding: bytes, as: UTF8.self)
  let typed = CommandWords(line)
  let count = typed.words.reduce(0) { $0 + $1.unicodeScalars.count }
  precondition(count <= line.unicodeScalars.count, "a word has characters that are not in the line")
  precondition(!typed.isLastOpen || !typed.words.isEmpty, "the open word is missing")
  // No app has an empty name.
  let words = typed.words.filter { !$0.isEmpty }
  let again = CommandWords(words.map { AppID.shellWord($0) }.joined(separator: " "))
  precondition(again.words == words && !again.isQuoteOpen, "a quoted word is another one")
  let offers = fuzzedTable.offers(line)
  precondition(
    offers.words.allSatisfy { $0.word.hasPrefix(offers.prefix) }, "an offer does not fit")
  let completion = Completion(offers) { _ in ["org.example.tracker", "1000:/opt/two words"] }
  _ = completion.insertion
  _ = completion.list(columns: 80)
  _ = completion.explanation
  _ = try? fuzzedTable.request(typed.words)
}

/// Keys of a person, or noise on a line, in libedit: each line ends, and the next one begins.
func fuzzEditor(_ bytes: [UInt8]) {
  let keyboard = FuzzedKeyboard(bytes)
  guard let kind = bytes.first.map({ $0 % 2 == 0 ? "vt102" : "dumb" }),
    let editor = try? LineEditor(kind: kind, historyMax: 10, owner: keyboard)
  else { return }
  keyboard.editor = editor
  editor.setWindow(.init(columns: UInt16(2 + Int(bytes[0]) % 120), rows: 24))
  editor.remember("services off")
  while !keyboard.isOver {
    switch editor.read(prompt: "board fix> ") {
    case .text(let text):
      precondition(text.utf8.count <= LineEditor.lineMax * 4, "a line is longer than its limit")
      editor.remember(text)
    case .end, .cancelled: break
    }
  }
}

private var fuzzedTable: VerbTable<Int> {
  VerbTable(
    program: "binnacle", summary: "a table",
    verbs: [
      Verb(
        "log", "the log", options: [.flag("follow", letter: "f", "go on"), .flag("json", "JSON")],
        action: 1),
      Verb(
        "allow", "allow an app", operands: "APP [full]", operandsMax: 2, operandNames: .apps,
        action: 2),
      Verb(
        "state erase", "forget", operands: "all|fix", operandsMax: 1,
        operandValues: ["all", "fix"],
        action: 3),
    ], sharedOptions: [.value("runtime", "DIR", "where the socket is")])
}

/// The keys of an input; each byte is pressed once.
private final class FuzzedKeyboard: LineEditorOwner {
  private var keys: ArraySlice<UInt8>
  var editor: LineEditor?
  private(set) var isOver = false

  init(_ keys: [UInt8]) { self.keys = keys.dropFirst() }

  func nextByte() -> UInt8? {
    guard let key = keys.popFirst() else {
      isOver = true
      return nil
    }
    // Ctrl-C is the console's.
    return key == 3 ? nil : key
  }

  func print(_ bytes: UnsafeRawBufferPointer) {}

  func asked(_ question: LineEditor.Question) {
    guard let editor else { return }
    let line = editor.line
    precondition(
      line.whole.utf8.starts(with: line.beforeCursor.utf8), "the cursor is outside of the line")
    switch question {
    case .completion:
      editor.insert(Completion(fuzzedTable.offers(line.beforeCursor)) { _ in [] }.insertion ?? "")
    case .explanation: editor.redraw(prompt: "board fix> ")
    }
  }
}
