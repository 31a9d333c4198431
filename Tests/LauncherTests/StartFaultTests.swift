import BinnaclePosix
import LaunchWire
import TestSupport
import Testing

@testable import Launcher

/// The sentences for programs that cannot be run: each names the file, the fault and the remedy.
@Suite(.serialized) struct StartFaultTests {
  /// A program as a test makes it in a directory, and the sentence without the directory.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var content: [UInt8]?
    var mode: UInt32 = 0o755
    var sentence: String
    var testDescription: String { name }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  static let cases: [Case] = [
    Case(name: "missing", sentence: "D/missing does not exist: install"),
    Case(
      name: "no/such/program",
      sentence: "D/no/such/program does not exist, because there is no directory D/no: install"),
    Case(
      name: "file/program", sentence: "D/file/program does not exist, because D/file is not a dir"),
    Case(
      name: "link", sentence: "D/link is a symbolic link to a file that does not exist: install"),
    Case(
      name: "closed/program",
      sentence: "may not enter the directory D/closed, so that D/closed/program cannot be run: "
        + "'chmod o+x D/closed'"),
    Case(name: "directory", sentence: "D/directory is a directory, not a program: correct"),
    Case(
      name: "not-executable", content: text("#!/bin/sh\n"), mode: 0o644,
      sentence: "may not execute D/not-executable: 'chmod a+x D/not-executable'"),
    Case(
      name: "script", content: text("#! /no/such/python -u\n"),
      sentence: "/no/such/python, the interpreter of D/script, does not exist: install it, or"),
    Case(
      name: "carriage-return", content: text("#!/bin/sh\r\necho\r\n"),
      sentence: "the lines of D/carriage-return end with a carriage return"),
    Case(
      name: "interpreter", content: text("#!/etc/passwd\n"),
      sentence: "may not execute /etc/passwd, the interpreter of D/interpreter: 'chmod"),
    Case(
      name: "nameless", content: text("#!\n"),
      sentence: "the first line of D/nameless names no interpreter"),
    Case(name: "text", content: text("echo\n"), sentence: "D/text is neither a program nor a scri"),
    Case(name: "empty", content: [], sentence: "D/empty is empty, or user"),
    Case(
      name: "foreign", content: program(machine: 243),
      sentence: "D/foreign is a program for RISC-V (64 bits), and this system runs programs for "),
    Case(
      name: "loader", content: program(loader: true),
      sentence: "D/loader needs the loader /Xib"),
  ]

  /// A program of this system for another processor, or with a loader that does not exist.
  private static func program(machine: UInt8? = nil, loader: Bool = false) -> [UInt8] {
    var bytes = (try? Files.read("/bin/true", sizeMax: 1 << 24)) ?? []
    if let machine, bytes.count > 19 { (bytes[18], bytes[19]) = (machine, 0) }
    let name = Array("/lib".utf8)
    if loader, let place = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) {
      bytes[place + 1] = UInt8(ascii: "X")
    }
    return bytes
  }

  @Test(arguments: cases)
  func aProgramThatCannotBeRunIsNamedWithItsRemedy(_ one: Case) throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    let directory = launcher.directory
    try Files.makeDirectory(directory("directory"), mode: 0o755, withParents: false)
    try Files.makeDirectory(directory("closed"), mode: 0o644, withParents: false)
    try Files.writeAtomically([], to: directory("file"))
    try Files.makeLink(directory("link"), to: directory("nowhere"))
    if let content = one.content {
      try Programs.make(content, at: directory(one.name), mode: one.mode)
    }
    try launcher.writeManifest(executable: directory(one.name))
    let answer = try launcher.answer(to: .start(isForLocation: false))
    guard case .failed(let reason) = answer else {
      Issue.record("the answer is \(String(describing: answer))")
      return
    }
    let sentence = reason.split(separator: directory.path).joined(separator: "D")
    let placed = reason.hasPrefix(directory.path) ? "D" + sentence : sentence
    #expect(placed.contains(one.sentence), "\(placed)")
    #expect(launcher.apps.apps.isEmpty)
  }

  /// The sentence of a failure that a test cannot cause.
  private func sentence(_ failure: ChildFailure) -> String {
    StartFault(
      failure: failure, program: "/usr/lib/a/a", directory: "/home/ann", user: "ann",
      manifest: "/etc/binnacle/apps.d/a.app", architecture: .own
    ).description
  }

  @Test func aUserThatCannotBeTakenIsNamed() {
    #expect(
      sentence(ChildFailure(.user, .notPermitted))
        == "the launcher may not become user ann: Operation not permitted; "
        + "start the launcher by its unit binnacle-launch")
    #expect(sentence(ChildFailure(.user, .wouldBlock)).contains("user ann has as many processes"))
  }

  @Test func aWorkingDirectoryThatCannotBeEnteredIsNamed() {
    #expect(
      sentence(ChildFailure(.directory, .accessDenied))
        == "user ann may enter neither /home/ann nor /: Permission denied")
  }

  @Test func aProgramOnAFileSystemWithoutExecutionIsNamed() {
    let file = ChildFailure.File(isNoexec: true, head: Array("#!/bin/sh\n".utf8))
    #expect(
      sentence(ChildFailure(.program, .accessDenied, file: file)).hasPrefix(
        "/usr/lib/a/a is on a file system that is mounted with noexec: install"))
  }

  @Test func everyOtherFailureOfAProgramNamesTheProgram() {
    let file = ChildFailure.File(head: Array("#!/bin/sh\n".utf8))
    let failures: [Errno] = [
      .textFileBusy, .argumentsTooLong, .noMemory, .inputOutput, .notPermitted, .invalidArgument,
    ]
    for errno in failures {
      let text = sentence(ChildFailure(.program, errno, file: file))
      #expect(text.contains("/usr/lib/a/a"), "\(text)")
      #expect(sentence(ChildFailure(.program, errno)).contains("/usr/lib/a/a"))
    }
  }

  @Test func aReasonWithLongPathsFitsTheReport() {
    let long = String(repeating: "é", count: 2_000)
    let clipped = LaunchReport.Answer.clipped(long)
    #expect(clipped.utf8.count == LaunchReport.Answer.reasonSizeMax)
    let report = LaunchReport.answer(1, .failed(reason: clipped))
    #expect(LaunchReport(decoding: report.encoded) == report)
  }
}
