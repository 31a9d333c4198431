import BinnaclePosix
import Diagnosis
import TestSupport
import Testing

/// The listings of `Docs/START.md` that show the doctor's output for a machine of this folder.
struct StartPageTests {
  /// A listing below the comment `<!-- machine: NAME -->`.
  private struct Listing {
    let machine: String
    var lines: [String] = []
  }

  private static func listings(in text: String) -> [Listing] {
    let mark = "<!-- machine: "
    var listings: [Listing] = []
    var isOpen = false
    var isWanted = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(mark) {
        listings.append(Listing(machine: String(line.dropFirst(mark.count).dropLast(" -->".count))))
        isWanted = true
      } else if isOpen, line == "```" {
        isOpen = false
        isWanted = false
      } else if isOpen {
        listings[listings.count - 1].lines.append(String(line))
      } else if isWanted, line == "```text" {
        isOpen = true
      }
    }
    return listings
  }

  @Test func theListingsAreTheDoctorsOutput() throws {
    let bytes = try Files.read(TestData.packageRoot + "/Docs/START.md")
    let listings = StartPageTests.listings(in: String(decoding: bytes, as: UTF8.self))
    #expect(listings.count >= 4)
    for listing in listings {
      let tree = try MachineTree(listing.machine)
      let lines = Examination(of: tree, tree.inquiry).findings.flatMap(\.lines)
      #expect(
        lines == listing.lines, "\(listing.machine):\n\(lines.joined(separator: "\n"))")
    }
  }

  /// The control: another machine's listing is another one.
  @Test func theMachinesOfThePageDiffer() throws {
    let bytes = try Files.read(TestData.packageRoot + "/Docs/START.md")
    let listings = StartPageTests.listings(in: String(decoding: bytes, as: UTF8.self))
    #expect(Set(listings.map(\.lines)).count == listings.count)
    #expect(listings.allSatisfy { !$0.lines.isEmpty })
  }
}
