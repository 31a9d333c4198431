import BinnaclePosix
import Board
import TestSupport
import Testing

/// Pictures and tables of the boards' pages are those of their profiles; `make drawings` writes them.
struct BoardPageTests {
  private static let pages = TestData.packageRoot + "/Docs/boards"

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path), as: UTF8.self)
  }

  private func keep(_ text: String, in path: String) throws {
    if Environment.value("BINNACLE_DRAW") != nil {
      try Files.writeAtomically(Array(text.utf8), to: path)
    }
  }

  @Test(arguments: Wiring.names)
  func thePictureIsThatOfTheProfile(name: String) throws {
    let drawing = BoardDrawing(
      wiring: try Wiring(name: name), pinCount: Header(board: name).pinCount)
    let path = BoardPageTests.pages + "/\(name).svg"
    try keep(drawing.svg, in: path)
    #expect(try text(path) == drawing.svg, "run make drawings")
  }

  @Test(arguments: Wiring.names)
  func theTableIsThatOfTheProfile(name: String) throws {
    let path = BoardPageTests.pages + "/\(name).md"
    let page = BoardPage(wiring: try Wiring(name: name))
    let renewed = try #require(page.renewed(try text(path)), "\(path) has lost its marks")
    try keep(renewed, in: path)
    #expect(try text(path) == renewed, "run make drawings")
  }
}
