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

  @Test func aPipeGetsTheBytes() throws {
    #expect(mkfifo(directory("pipe"), 0o600) == 0)
    let reader = try FileDescriptor.open(directory("pipe"), O_RDONLY | O_NONBLOCK)
    let file = try DraftFile(directory("pipe"))
    try file.write([1, 2, 3])
    try file.commit()
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try reader.read(into: &bytes) == 3)
    #expect(bytes.prefix(3) == [1, 2, 3])
    #expect(try Files.status(of: directory("pipe")).kind == .pipe)
    #expect(try Files.list(directory.path) == ["pipe"])
  }

  @Test func aSymbolicLinkStaysAndItsFileIsReplaced() throws {
    try Files.makeDirectory(directory("other"), mode: 0o700)
    try Files.writeAtomically([9], to: directory("other/f"))
    try Files.makeLink(directory("near"), to: "other/f")
    try Files.makeLink(directory("far"), to: directory("near"))
    try Files.makeLink(directory("dangling"), to: "other/g")
    for (link, target) in [("far", "other/f"), ("dangling", "other/g")] {
      let file = try DraftFile(directory(link))
      try file.write([1, 2])
      try file.commit()
      #expect(try Files.read(directory(target)) == [1, 2])
    }
    try Files.writeAtomically([3], to: directory("far"))
    #expect(try Files.read(directory("other/f")) == [3])
    #expect(try Files.linkTarget(directory("near")) == "other/f")
    #expect(try Files.linkTarget(directory("far")) == directory("near"))
    #expect(try Files.linkTarget(directory("dangling")) == "other/g")
    #expect(try Files.list(directory("other")) == ["f", "g"])
    try Files.makeLink(directory("circle"), to: "circle")
    #expect(throws: SystemError(.tooManyLinks, directory("circle"))) {
      _ = try DraftFile(directory("circle"))
    }
  }

  /// Only root can change the owner of the link.
  @Test(.enabled(if: Capability.administration.isHeld, "only root may give files away"))
  func aLinkOfAnotherUserIsNotFollowed() throws {
    try Files.writeAtomically([9], to: directory("precious"))
    let link = directory("link")
    try Files.makeLink(link, to: directory("precious"))
    #expect(lchown(link, 65_534, 65_534) == 0)
    #expect(throws: SystemError(.accessDenied, link)) { _ = try DraftFile(link) }
    #expect(throws: SystemError(.accessDenied, link)) { try Files.writeAtomically([1], to: link) }
    #expect(try Files.read(directory("precious")) == [9])
  }

  @Test func filesWithTheTemporaryNamesAreLeftAlone() throws {
    try Files.makeLink(directory("f.new"), to: "nowhere")
    let file = try DraftFile(directory("f"))
    try file.write([1])
    let other = try DraftFile(directory("f"))
    try other.write([2])
    try Files.makeLink(directory("link"), to: "f")
    try file.commit()
    try other.commit()
    #expect(try Files.read(directory("f")) == [2])
    #expect(try Files.linkTarget(directory("f.new")) == "nowhere")
    #expect(try Files.list(directory.path) == ["f", "f.new", "link"])
  }

  @Test func anAtomicWriteReplacesOnlyARegularFile() throws {
    #expect(mkfifo(directory("pipe"), 0o600) == 0)
    try Files.makeLink(directory("device"), to: "/dev/null")
    for (name, words) in [("pipe", "a pipe"), ("device", "a device")] {
      let path = directory(name)
      #expect(
        throws: SystemError(
          .invalidArgument, description: "\(path): it is \(words), not a regular file")
      ) { try Files.writeAtomically([1], to: path) }
    }
    #expect(try Files.linkTarget(directory("device")) == "/dev/null")
    // A power cut has left a draft.
    try Files.writeAtomically([9], to: directory("g.new"))
    try Files.writeAtomically([1], to: directory("g"))
    #expect(try Files.read(directory("g")) == [1])
    #expect(try Files.list(directory.path) == ["device", "g", "pipe"])
  }

  @Test func aDirectoryIsRefused() throws {
    #expect(throws: SystemError(.isADirectory, directory.path)) {
      _ = try DraftFile(directory.path)
    }
  }
}
