import BinnaclePosix
import Glibc
import TestSupport
import Testing

struct DraftFileTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func theFileAppearsWhenItIsWhole() throws {
    try Files.writeAtomically([9], to: directory("f"))
    let file = try DraftFile(directory("f"))
    try file.write([1, 2])
    try file.write([3])
    #expect(try Files.read(directory("f")) == [9])
    try file.commit()
    #expect(try Files.read(directory("f")) == [1, 2, 3])
    #expect(try Files.status(of: directory("f")).mode == 0o600)
    #expect(try Files.list(directory.path) == ["f"])
  }

  @Test func anAbandonedFileDisappears() throws {
    do {
      let file = try DraftFile(directory("f"))
      try file.write([1])
    }
    #expect(try Files.list(directory.path) == [])
  }

  @Test func aDeviceIsWrittenToAndNotReplaced() throws {
    let file = try DraftFile("/dev/null")
    try file.write([1])
    try file.commit()
    #expect(try Files.status(of: "/dev/null").kind == .characterDevice)
    let full = try DraftFile("/dev/full")
    #expect(throws: SystemError(.noSpace, "/dev/full")) { try full.write([1]) }
  }

  @Test func aDirectoryIsRefused() throws {
    #expect(throws: SystemError(.isADirectory, directory.path)) {
      _ = try DraftFile(directory.path)
    }
  }
}
