import BinnaclePosix
import CEdit
import Glibc

/// The parts of a console that the editor of a line needs.
protocol LineEditorOwner: AnyObject {
  /// The next byte of the keyboard, which it waits for; nil: no line is wanted any more.
  func nextByte() -> UInt8?
  /// Takes bytes for the screen.
  func print(_ bytes: UnsafeRawBufferPointer)
  /// Answers TAB or `?` in the line that is being typed.
  func asked(_ question: LineEditor.Question)
}

/// Edits a line with Debian's libedit, which gets a pseudo-terminal of its own: modes and sizes are set there, so that
/// libedit never touches the real line and never waits for it.
final class LineEditor {
  enum Question {
    case completion
    case explanation
  }

  /// The result of a line's editing.
  enum Line: Equatable {
    case text(String)
    /// Ctrl-D in an empty line.
    case end
    /// The owner wanted no line any more.
    case cancelled
  }

  /// The longest line, in characters.
  static let lineMax = 1_000

  private let near: PseudoTerminal
  private let far: FileDescriptor
  private let edit: OpaquePointer
  /// The kind of the terminal, such as `vt102`.
  let kind: String

  /// - Parameters:
  ///   - kind: the name of the terminal in the terminfo database.
  ///   - historyMax: the number of lines that the editor remembers.
  ///   - owner: the console, which outlives the editor.
  /// - Throws: the error of the system.
  init(kind: String, historyMax: Int, owner: any LineEditorOwner) throws(Errno) {
    self.kind = kind
    near = try PseudoTerminal()
    far = try FileDescriptor.open(near.farEndName, O_RDWR | O_NOCTTY)
    let box = OwnerBox(owner)
    self.box = box
    var functions = cedit_owner(
      context: Unmanaged.passUnretained(box).toOpaque(), next_byte: nextByteOfOwner,
      print: printOfOwner, ask: askOfOwner)
    guard
      let edit = cedit_open(
        "binnacle", kind, far.number, LineEditor.lineMax, historyMax,
        &functions)
    else { throw Errno.current }
    self.edit = edit
  }

  private let box: OwnerBox

  deinit { cedit_close(edit) }

  /// Whether the terminal understands the escape sequences of the VT100 family.
  var hasEscapes: Bool { kind != "dumb" }

  func read(prompt: String) -> Line {
    var isEnd: Int32 = 0
    guard let text = cedit_read(edit, prompt, &isEnd) else { return isEnd == 1 ? .end : .cancelled }
    return .text(String(cString: text))
  }

  /// The line so far, up to the cursor and as a whole.
  var line: (beforeCursor: String, whole: String) {
    var bytes = [CChar](repeating: 0, count: LineEditor.lineMax * 4)
    var cursor = 0
    let count = cedit_line(edit, &bytes, bytes.count, &cursor)
    let text = bytes[..<count].map { UInt8(bitPattern: $0) }
    return (
      String(decoding: text[..<min(cursor, count)], as: UTF8.self),
      String(decoding: text, as: UTF8.self)
    )
  }

  func insert(_ text: String) { cedit_insert(edit, text) }

  /// Draws prompt and line from the first column on.
  func redraw(prompt: String? = nil) { cedit_redraw(edit, prompt) }

  func remember(_ line: String) { cedit_remember(edit, line) }

  func setWindow(_ window: Terminal.Window) {
    Terminal(borrowing: far.number).setWindow(window)
    cedit_resized(edit)
  }
}

/// The owner, for functions that C calls.
private final class OwnerBox {
  unowned let owner: any LineEditorOwner

  init(_ owner: any LineEditorOwner) { self.owner = owner }

  static func of(_ context: UnsafeMutableRawPointer?) -> OwnerBox? {
    context.map { Unmanaged<OwnerBox>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func nextByteOfOwner(_ context: UnsafeMutableRawPointer?) -> Int32 {
  OwnerBox.of(context)?.owner.nextByte().map { Int32($0) } ?? -1
}

private func printOfOwner(
  _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int
) {
  OwnerBox.of(context)?.owner.print(UnsafeRawBufferPointer(start: bytes, count: count))
}

private func askOfOwner(_ context: UnsafeMutableRawPointer?, _ question: Int32) {
  let isCompletion = UInt32(question) == CEDIT_COMPLETE.rawValue
  OwnerBox.of(context)?.owner.asked(isCompletion ? .completion : .explanation)
}
