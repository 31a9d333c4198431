import TestSupport
import Testing

@testable import BinnaclePosix

/// Tests the kernel's write counters.
struct DiskWorkTests {
  /// As Documentation/block/stat.rst lists the fields: reads, merges, sectors, time; writes, merges, sectors, time; in flight,
  /// two times; discards, merges, sectors, time; flushes, time.
  private static let line =
    "     100        2     3000       40      500       60     7000       80"
    + "        0      900     1000       11       12       13       14       15       16\n"

  @Test func aDisksSectorsHave512BytesAndItsFlushesAreCounted() {
    #expect(
      DiskWork(statistics: DiskWorkTests.line) == DiskWork(bytes: 7_000 * 512, flushes: 15))
  }

  @Test func anOlderKernelCountsNoFlushes() {
    let words = DiskWorkTests.line.split(separator: " ").prefix(11).joined(separator: " ")
    #expect(DiskWork(statistics: words) == DiskWork(bytes: 7_000 * 512, flushes: nil))
  }

  @Test(arguments: ["", "1 2 3", "1 2 3 4 5 6 many"])
  func aLineOfAnotherFormatIsIgnored(_ text: String) {
    #expect(DiskWork(statistics: text) == nil)
  }

  @Test func theDifferenceKeepsUncountedFieldsUncounted() {
    let early = DiskWork(bytes: 100, flushes: 3)
    #expect(DiskWork(bytes: 900, flushes: 7) - early == DiskWork(bytes: 800, flushes: 4))
    #expect(DiskWork(bytes: 900, flushes: nil) - early == DiskWork(bytes: 800, flushes: nil))
  }

  @Test func theProcessIsCountedAndAMemoryFileSystemHasNoDisk() throws {
    let before = try #require(DiskWork.ofProcess())
    let folder = try TemporaryDirectory()
    try Files.writeAtomically([UInt8](repeating: 1, count: 65_536), to: folder("file"), mode: 0o600)
    let after = try #require(DiskWork.ofProcess())
    #expect(after.bytes >= before.bytes && after.flushes == nil)
    #expect(DiskWork.ofDisk(under: "/proc") == nil)
    #expect(DiskWork.ofDisk(under: folder("nothing")) == nil)
  }
}
