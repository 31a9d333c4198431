import BinnaclePosix
import TestSupport
import Testing

/// The pictures of `Docs/CONSOLE.md`.
enum ConsolePage {
  private static let path = TestData.packageRoot + "/Docs/CONSOLE.md"

  /// Compares a picture of the page with that of a session; with `BINNACLE_DRAW=1` writes the picture.
  static func check(_ name: String, _ picture: String) throws {
    let text = String(decoding: try Files.read(path, sizeMax: 1 << 20), as: UTF8.self)
    let title = "<!-- capture: \(name) -->\n```\n"
    let start: Range<String.Index> = try #require(text.firstRange(of: title))
    let rest: Substring = text[start.upperBound...]
    let end: Range<String.Index> = try #require(rest.firstRange(of: "```\n<!-- end -->"))
    if Environment.value("BINNACLE_DRAW") == "1" {
      let whole = text[..<start.upperBound] + picture + "\n" + text[end.lowerBound...]
      try Files.writeAtomically(Array(String(whole).utf8), to: path, mode: 0o644)
    } else {
      #expect(text[start.upperBound..<end.lowerBound] == picture + "\n", "make drawings writes it")
    }
  }
}
