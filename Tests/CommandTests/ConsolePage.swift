import BinnaclePosix
import TestSupport
import Testing

/// The pictures of `Docs/CONSOLE.md`.
enum ConsolePage {
  private static let path = TestData.packageRoot + "/Docs/CONSOLE.md"

  /// The picture on the page.
  static func picture(_ name: String) throws -> String {
    let text = try text()
    return String(text[try place(of: name, in: text)])
  }

  /// Compares a picture of the page with that of a session; with `BINNACLE_DRAW=1` writes the picture.
  static func check(_ name: String, _ picture: String) throws {
    let text = try text()
    let place = try place(of: name, in: text)
    if Environment.value("BINNACLE_DRAW") == "1" {
      let whole = text[..<place.lowerBound] + picture + "\n" + text[place.upperBound...]
      try Files.writeAtomically(Array(String(whole).utf8), to: path, mode: 0o644)
    } else {
      #expect(text[place] == picture + "\n", "make drawings writes it")
    }
  }

  private static func text() throws -> String {
    String(decoding: try Files.read(path, sizeMax: 1 << 20), as: UTF8.self)
  }

  private static func place(of name: String, in text: String) throws -> Range<String.Index> {
    let start: Range<String.Index> = try #require(
      text.firstRange(of: "<!-- capture: \(name) -->\n```\n"))
    let rest: Substring = text[start.upperBound...]
    let end: Range<String.Index> = try #require(rest.firstRange(of: "```\n<!-- end -->"))
    return start.upperBound..<end.lowerBound
  }
}
