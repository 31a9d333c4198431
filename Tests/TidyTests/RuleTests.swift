import Testing

/// Every rule catches what it is for, and lets its neighbour pass.
struct RuleTests {
  private func file(_ text: String, path: String = "Sources/Wire/Packet.swift") -> SourceFile {
    SourceFile(path: path, text: text)
  }

  private func lines(
    _ rule: (SourceFile) -> [Complaint], _ text: String, path: String = "Sources/Wire/Packet.swift"
  ) -> [Int] {
    rule(file(text, path: path)).map(\.line)
  }

  @Test func aPureTargetImportsOnlyPureTargets() {
    #expect(lines(Rules.imports, "public import Basics\nimport Glibc\n") == [2])
    #expect(lines(Rules.imports, "import Board\nimport struct Foundation.Date\n") == [1, 2])
  }

  @Test func theDaemonImportsNoFoundation() {
    let text = "import Glibc\nimport FoundationEssentials\nimport Dispatch\n"
    #expect(lines(Rules.imports, text, path: "Sources/Daemon/Loop.swift") == [2, 3])
    #expect(lines(Rules.imports, "import Foundation\n", path: "Tests/A/B.swift") == [])
  }

  @Test func theClientLibraryStatesWhichImportsArePublic() {
    let text = "import Model\ninternal import Wire\npublic import Foundation\n\nimport Posix\n"
    #expect(lines(Rules.imports, text, path: "Sources/CoreLocation/CLFloor.swift") == [1, 5])
    #expect(lines(Rules.imports, "import Glibc\n", path: "Sources/Daemon/Loop.swift") == [])
  }

  @Test func aLongFunctionIsSeen() {
    let body = String(repeating: "  work()\n", count: 68)
    #expect(lines(Rules.lengths, "struct Packet {}\nfunc f() {\n\(body)}\n") == [])
    #expect(lines(Rules.lengths, "struct Packet {}\nfunc f() {\n\(body)\n}\n") == [2])
  }

  @Test func aRequirementWithoutABodyIsNotLong() {
    let rest = String(repeating: "// a line\n", count: 90)
    #expect(lines(Rules.lengths, "protocol P { func f(); var x: Int { get } }\n\(rest)") == [])
  }

  @Test func aLongFileIsSeen() {
    #expect(lines(Rules.lengths, String(repeating: "\n", count: 600)) == [])
    #expect(lines(Rules.lengths, String(repeating: "\n", count: 601)) == [1])
  }

  @Test func aFileHasTheNameOfItsType() {
    #expect(lines(Rules.mainType, "public struct Packet {}\nstruct Other {}") == [])
    #expect(lines(Rules.mainType, "\npublic struct Other {}") == [2])
    #expect(lines(Rules.mainType, "private struct Other {}") == [])
    let two = "struct A {}\nstruct B {}"
    #expect(lines(Rules.mainType, two, path: "Sources/Wire/Limits.swift") == [])
    #expect(lines(Rules.mainType, two, path: "Sources/Wire/Limit.swift") == [1])
    #expect(lines(Rules.mainType, "struct Other {}", path: "Sources/Wire/A+Coding.swift") == [])
  }

  @Test func emptyWordsInNamesAreReported() {
    #expect(lines(Rules.names, "struct Packet {}\nenum SocketManager {}") == [2])
    #expect(lines(Rules.names, "struct Database {}\nstruct Information {}") == [])
    #expect(lines(Rules.names, "", path: "Sources/Wire/StringUtils.swift") == [1])
  }

  @Test func aRetiredNameIsReported() {
    #expect(lines(Rules.names, "struct Packet {}\nfinal class Bell {}") == [2])
    #expect(lines(Rules.names, "struct Packet {}\nfinal class EventFD {}") == [])
  }

  @Test func forcingIsSeen() {
    #expect(lines(Rules.forcing, "let a = b!\nlet c = try! d()\nlet e = f as! G\n") == [1, 2, 3])
    #expect(lines(Rules.forcing, "let a = !b\nif a != b {}\nf(!c, [!d])\n// no!\n") == [])
    #expect(lines(Rules.forcing, "let a = \"\\(b!)\"") == [1])
  }

  @Test func uncheckedSendabilityNeedsAPlaceAndAReason() {
    let bare = "final class A: @unchecked Sendable {}"
    #expect(lines(Rules.uncheckedSendability, bare) == [1])
    #expect(
      lines(Rules.uncheckedSendability, bare, path: "Sources/Posix/A.swift") == [1])
    #expect(
      lines(
        Rules.uncheckedSendability, "// All is behind a lock.\n" + bare,
        path: "Sources/Posix/A.swift") == [])
  }

  @Test func walkingThroughADictionaryIsSeen() {
    let declared = "var peers: [Int: Peer] = [:]\nvar order: [Peer] = []\nlet seen: Set<Int>\n"
    #expect(lines(Rules.hashedOrder, declared + "for peer in peers { f(peer) }") == [4])
    #expect(lines(Rules.hashedOrder, declared + "seen.map { $0 }\npeers.values\n") == [4, 5])
    #expect(lines(Rules.hashedOrder, declared + "for peer in order { peers[1] = peer }") == [])
  }

  @Test func openEndsAreSeen() {
    #expect(lines(Rules.openEnds, "\n// TO" + "DO: more\n") == [2])
    #expect(lines(Rules.openEnds, "// what to do\nmkdtemp(\"a.XXXX" + "XX\")") == [])
  }

  @Test func aCommaBeforeTheClosingBracketIsSeen() {
    #expect(lines(Rules.trailingCommas, "f(\n  a,\n  b,\n)") == [3])
    #expect(lines(Rules.trailingCommas, "f([\n  a,\n  b,\n], \",)\") // ,)") == [])
  }

  @Test func sleepingInATestIsSeen() {
    let text = "usleep(10)\nawait Task.sleep(for: .seconds(1))\nlet sleep = 1\n"
    #expect(lines(Rules.sleeping, text, path: "Tests/A/B.swift") == [1, 2])
    #expect(lines(Rules.sleeping, text) == [])
  }

  @Test func aTestThatEndsSilentlyIsSeen() {
    for condition in ["case .a = b", "let a = b", "a == b"] {
      let leaving = "  guard \(condition) else { return }\n"
      let text = "@Test func c() {\n\(leaving)}\nprivate func d() {\n\(leaving)}\n"
      #expect(lines(Rules.leavingSilently, text, path: "Tests/A/B.swift") == [2])
      #expect(lines(Rules.leavingSilently, text) == [])
    }
    let told = "@Test func c() {\n  guard case .a = b else { Issue.record(\"d\"); return }\n}\n"
    #expect(lines(Rules.leavingSilently, told, path: "Tests/A/B.swift") == [])
  }

  @Test func aCaseThatIsNeverDrawnIsSeen() {
    func draw(_ subject: String, _ cases: [String]) -> [Int] {
      let body = cases.map { "  \($0)\n" }.joined()
      return lines(Rules.drawnCases, "switch \(subject) {\n\(body)}\n")
    }
    let three = "random.next() % 3"
    #expect(draw(three, ["case 0: .a", "case 1: .default", "case _: .c"]) == [])
    #expect(draw(three, ["case 0...1: a()", "case 2...3: b()", "case _: c()"]) == [3, 4])
    #expect(draw("Int(random.next() % 2)", ["case 0, 1: a()", "default: b()"]) == [3])
    #expect(draw("number / 12 % 4", ["case 0..<3: a()", "case let last: b(last)"]) == [])
    let range = "Int.random(in: 0..<8, using: &random)"
    #expect(draw(range, ["case 0...4: a()", "case 5, 6: b()", "default: c()"]) == [])
    #expect(draw(range, ["case 0...4: a()", "case 5, 8: b()", "default: c()"]) == [3])
    let nested = "case 0: if case .a = b { switch c { case 7: d() } }"
    #expect(draw("number % 2", [nested, "case _: e()"]) == [])
    #expect(draw("number % bitsPerByte", ["case 99: a()", "default: b()"]) == [])
  }

  @Test func stringsAndCommentsAreNoCode() {
    let text = "let a = #\"b! \"c\"!\"#\nlet d = \"\"\"\n  e!\n  \"\"\"\n/* f! */ let g = h!\n"
    #expect(lines(Rules.forcing, text) == [5])
  }

  @Test func arrowsAreReadFromAManifest() {
    let text = """
      let package = Package(
        products: [.library(name: "L", targets: ["A"])],
        targets: [
          .target(name: "A"),
          .executableTarget(name: "b", dependencies: ["A", "C"], path: "P", swiftSettings: s + [f("x")]),
          .testTarget(name: "T", dependencies: ["A"]),
        ])
      """
    let arrows = Architecture.arrows(of: text)
    #expect(arrows.map(\.name) == ["A", "b"])
    #expect(arrows.map(\.uses) == [[], ["A", "C"]])
  }

  @Test func arrowsAreReadFromADocument() {
    let text =
      "| target | sentence | uses |\n|---|---|---|\n| `A` | is first | |\n| `b` | b | A, C |\n"
    let arrows = DocumentRules.arrows(of: Document(path: "", text: text))
    #expect(arrows.map(\.name) == ["A", "b"])
    #expect(arrows.map(\.uses) == [[], ["A", "C"]])
  }

  @Test func aDeadLinkIsSeen() {
    let text = "[a](there.md) [b](gone.md#part)\n[c](https://example.org) [d](#here)\n"
    let document = Document(path: "Docs/A.md", text: text)
    #expect(
      DocumentRules.links(document) { $0 == "Docs/there.md" }.map(\.text)
        == ["there is no gone.md"])
  }

  @Test func anUnknownMakeTargetIsSeen() {
    let text = "`make test SEED=7` and make sure\n```\nmake tset\n```\n"
    let document = Document(path: "README.md", text: text)
    let known = DocumentRules.targets(ofMakefile: "test: deps ## run\nhidden:\n")
    #expect(DocumentRules.makeTargets(document, known: known).map(\.line) == [3])
  }

  @Test func anUnknownOptionIsSeen() {
    let text = "`.build/debug/binnacle watch --json --jsno`, `git --version`\n"
    let document = Document(path: "README.md", text: text)
    #expect(
      DocumentRules.options(document) { $0 == "--json" }.map(\.text)
        == ["no program knows --jsno"])
  }

  @Test func aRiddleInTheNameOfATestIsSeen() {
    let text =
      "@Test func whatIsReported() {}\n@Test func aClientIsServed() {}\nfunc whatIsIt() {}\n"
    #expect(lines(Rules.riddlesInNames, text, path: "Tests/A/B.swift") == [1])
    let words = "@Test func strangersAreTold() {}\n@Test func aThingIsServed() {}\n"
    #expect(lines(Rules.riddlesInNames, words, path: "Tests/A/B.swift") == [1, 1, 2])
  }

  @Test func aCommentThatDoesNotNameTheComponentIsSeen() {
    let text =
      "/// What is left.\n// Kept. Who reads it waits.\n// for nobody\n// a person who reads\n"
    #expect(lines(Rules.riddles, text, path: "Sources/Posix/Poll.swift") == [1, 2, 3])
    #expect(lines(Rules.riddles, text, path: "Tests/UBXTests/FrameTests.swift") == [1, 2, 3])
    let script =
      "# What is left.\nwho=1 # Kept\n  # for nobody\n# a person who reads\n  // Somebody reads.\n"
    #expect(
      Rules.riddles(ofScript: Document(path: "a.sh", text: script)).map(\.line) == [1, 3, 5])
  }
}
