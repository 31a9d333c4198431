import BinnaclePosix
import TestSupport
import Testing

/// The help of the programs, on a serial console of 80 columns.
@Suite(.timeLimit(.minutes(5)))
struct HelpTests {
  static let programs = ["binnacled", "binnacle", "binnacle-sim", "binnacle-launch"]

  @Test(arguments: programs) func helpHasAtMost80Columns(_ program: String) throws {
    let outcome = try ChildProcess.run(Programs.path(program), ["--help"])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.hasPrefix("\(program): "))
    #expect(tooLong(outcome.text) == [])
  }

  /// `nroff` shows lines behind `.nf` and `.in 0` as they are.
  @Test(arguments: programs) func theManualPageHasAtMost80Columns(_ program: String) throws {
    let page = try ChildProcess.run(
      TestData.packageRoot + "/scripts/make-manual.sh", [Programs.path(program), "1"])
    #expect(page.ending == .exited(0))
    #expect(page.text.contains(".SH NAME\n\(program.replacing("-", with: "\\-")) \\- "))
    #expect(page.text.contains("\n.nf\n.in 0\n"))
    let help = page.text.prefix(
      upTo: page.text.firstRange(of: "\n.fi")?.lowerBound ?? page.text.endIndex)
    // The page writes these sequences so that nroff reads no requests in them.
    let text = help.replacing("\\-", with: "-").replacing("\\&", with: "")
    #expect(tooLong(text) == [])
  }

  @Test func makeListsItsTargetsIn80Columns() throws {
    let outcome = try ChildProcess.run("make", ["-C", TestData.packageRoot, "help"])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.contains("  make test "))
    #expect(tooLong(outcome.text) == [])
  }

  private func tooLong(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("make") }
      .map { String($0) }
  }
}
