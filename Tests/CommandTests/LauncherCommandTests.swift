import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

/// The program `binnacle-launch` with odd streams and words.
struct LauncherCommandTests {
  /// A program whose parent has closed its standard streams must not take the next file for one of them.
  @Test func aLauncherWithoutStandardStreamsOpensOthersForThem() throws {
    let directory = try TemporaryDirectory()
    let command =
      "exec \(Programs.path("binnacle-launch")) --runtime \(directory.path)"
      + " --config \(directory("etc")) 0<&- 1>&- 2>&-"
    let child = try ChildProcess("sh", ["-c", command], output: .null, errorOutput: .null)
    let socket = directory(RuntimeDirectory.launcherSocketName)
    #expect(try eventually { (try? LocalSocket(connectingTo: socket)) != nil })
    let descriptors = try (0...2).map {
      try Files.linkTarget("/proc/\(child.processID)/fd/\($0)")
    }
    _ = try child.terminate()
    #expect(descriptors == ["/dev/null", "/dev/null", "/dev/null"])
  }

  @Test(arguments: [[ForeignText.sample], ["--config", "/none/" + ForeignText.sample, "extra"]])
  func aForeignWordIsReportedWithoutControlCharacters(words: [String]) throws {
    let child = try ChildProcess(
      Programs.path("binnacle-launch"), words, output: .pipe, errorOutput: .pipe)
    let (ending, output, said) = try child.finish()
    #expect(ending == .exited(64))
    #expect(output == "")
    #expect(ForeignText.remains(in: said) == [], "\(said)")
    #expect(said.split(separator: "\n").count == 1, "\(said)")
  }
}
