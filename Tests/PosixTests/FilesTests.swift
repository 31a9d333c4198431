import BinnaclePosix
import Glibc
import TestSupport
import Testing

struct FilesTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func writtenBytesAreReadAgain() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    try Files.writeAtomically(bytes, to: directory("f"))
    #expect(try Files.read(directory("f")) == bytes)
    try Files.writeAtomically([], to: directory("f"))
    #expect(try Files.read(directory("f")) == [])
    #expect(try Files.list(directory.path) == ["f"])
  }

  @Test func aFileThatIsTooLongIsRefused() throws {
    try Files.writeAtomically([1, 2, 3], to: directory("f"))
    #expect(try Files.read(directory("f"), sizeMax: 3) == [1, 2, 3])
    #expect(throws: SystemError(.fileTooLarge, directory("f"))) {
      try Files.read(directory("f"), sizeMax: 2)
    }
    #expect(throws: SystemError.self) { try Files.read("/dev/zero", sizeMax: 100) }
  }

  /// A file system of 64 KiB stands for a full disk; making one takes root.
  @Test(.enabled(if: Capability.administration.isHeld, "only root may mount"))
  func aFullDiskLeavesTheOldFile() throws {
    let disk = directory("disk")
    try Files.makeDirectory(disk, mode: 0o700)
    let mounted = try ChildProcess.run("mount", ["-t", "tmpfs", "-o", "size=64k", "none", disk])
    try #require(mounted.ending == .exited(0))
    defer { umount2(disk, Int32(MNT_DETACH)) }
    try Files.writeAtomically([1, 2, 3], to: disk + "/f")
    #expect(throws: SystemError(.noSpace, disk + "/f")) {
      try Files.writeAtomically([UInt8](repeating: 7, count: 100_000), to: disk + "/f")
    }
    #expect(try Files.read(disk + "/f") == [1, 2, 3])
    #expect(try Files.list(disk) == ["f"])
    try Files.writeAtomically([4], to: disk + "/f")
    #expect(try Files.read(disk + "/f") == [4])
  }

  @Test func directoriesHaveTheModeThatWasAskedFor() throws {
    try Files.makeDirectory(directory("a/b/c"), mode: 0o700, withParents: true)
    #expect(try Files.status(of: directory("a/b/c")).mode == 0o700)
    try Files.makeDirectory(directory("a/b/c"), mode: 0o700)
    #expect(throws: SystemError(.noSuchFile, directory("x/y"))) {
      try Files.makeDirectory(directory("x/y"), mode: 0o700)
    }
    try Files.writeAtomically([], to: directory("f"))
    let inPlace = SystemError(
      .notADirectory,
      description: directory("f")
        + ": something that is not a directory is in its place, move that away")
    for path in ["f", "f/g"] {
      #expect(throws: inPlace) {
        try Files.makeDirectory(directory(path), mode: 0o700, withParents: true)
      }
    }
  }

  @Test func aDirectoryThatOthersCanWriteToIsNotPrivate() throws {
    try Files.makePrivateDirectory(directory("mine"))
    try Files.makePrivateDirectory(directory("mine"))
    try Files.makeDirectory(directory("shared"), mode: 0o777)
    #expect(throws: SystemError.self) { try Files.makePrivateDirectory(directory("shared")) }
    try Files.makeLink(directory("link"), to: directory("mine"))
    #expect(throws: SystemError.self) { try Files.makePrivateDirectory(directory("link")) }
  }

  @Test func linksAreMadeReplacedAndFollowed() throws {
    try Files.writeAtomically([1], to: directory("one"))
    try Files.makeLink(directory("link"), to: directory("nowhere"))
    try Files.makeLink(directory("link"), to: directory("one"))
    #expect(try Files.linkTarget(directory("link")) == directory("one"))
    #expect(try Files.resolve(directory("link")) == Files.resolve(directory("one")))
    #expect(throws: SystemError(.fileExists, directory("one"))) {
      try Files.makeLink(directory("one"), to: directory("two"))
    }
    try Files.remove(directory("link"))
    try Files.remove(directory("link"))
    #expect(try Files.list(directory.path) == ["one"])
  }

  /// Each byte that is not text would become three bytes, and another name.
  @Test func aLinkWhoseTargetIsNotTextIsRefused() throws {
    let link = directory("odd")
    let outcome = try ChildProcess.run(
      "/bin/sh", ["-c", "ln -s \"$(printf 'a\\377')\" \"$0\"", link])
    #expect(outcome.ending == .exited(0))
    #expect(throws: SystemError(Errno(code: EILSEQ), link)) { try Files.linkTarget(link) }
  }

  @Test func aLockHasOneHolderUntilTheHolderEnds() throws {
    do {
      let held = try FileLock(path: directory("lock"))
      #expect(throws: SystemError.self) { _ = try FileLock(path: directory("lock")) }
      _ = consume held
    }
    _ = try FileLock(path: directory("lock"))
  }

  @Test func aLockThatIsAnotherNameOfAFileIsRefusedAndTheFileKept() throws {
    try Files.writeAtomically([1, 2, 3], to: directory("precious"))
    try Files.link(directory("lock"), of: directory("precious"))
    #expect(throws: SystemError.self) { _ = try FileLock(path: directory("lock")) }
    #expect(try Files.read(directory("precious")) == [1, 2, 3])
  }

  @Test func aPathThatIsNoRegularFileIsRefusedAtOnce() throws {
    #expect(mkfifo(directory("pipe"), 0o600) == 0)
    #expect(
      throws: SystemError(
        .invalidArgument, description: directory("pipe") + ": it is a pipe, not a regular file")
    ) { try Files.read(directory("pipe")) }
    #expect(throws: SystemError.self) { _ = try FileLock(path: directory("pipe")) }
    #expect(throws: SystemError.self) { try Files.read("/dev/null") }
    #expect(throws: SystemError.self) { try Files.read(directory.path) }
  }

  @Test func closingDoesNotFollowALink() throws {
    try Files.writeAtomically([1], to: directory("one"), mode: 0o644)
    try Files.makeLink(directory("link"), to: directory("one"))
    #expect(throws: SystemError(.tooManyLinks, directory("link"))) {
      try Files.restrictMode(directory("link"))
    }
    #expect(try Files.status(of: directory("one")).mode == 0o644)
    #expect(try Files.restrictMode(directory("one")))
    #expect(try Files.status(of: directory("one")).mode == 0o600)
  }

  @Test func parentsAreThePartBeforeTheName() {
    #expect(Files.parent(of: "/a/b") == "/a")
    #expect(Files.parent(of: "/a") == "/")
    #expect(Files.parent(of: "a") == ".")
  }

  @Test func filesOfTwoFileSystemsWithOneNumberAreTwoFiles() throws {
    #expect(FileIdentity(device: 1, number: 2) != FileIdentity(device: 3, number: 2))
    let (proc, directory) = (
      try FileIdentity(ofFileAt: "/proc"), try FileIdentity(ofFileAt: "/tmp")
    )
    #expect(proc.device != directory.device)
  }
}
