import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// Each verb of each program has its help, its part of the manual page and its completion, and examples that are read.
@Suite(.timeLimit(.minutes(5)))
struct CommandTableTests {
  static let programs = ["binnacle", "binnacle-sim"]

  private func run(_ program: String, _ words: [String]) throws -> ChildProcess.Outcome {
    try ChildProcess.run(Programs.path(program), words, limit: .seconds(60))
  }

  /// The verbs that the program's help lists.
  private func verbs(_ program: String) throws -> [[String]] {
    let help = try run(program, ["help"]).text
    return help.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .prefix { !$0.isEmpty }.compactMap { line in
        guard line.hasPrefix("  "), !line.hasPrefix("   ") else { return nil }
        let end = line.dropFirst(2).firstRange(of: "  ")?.lowerBound ?? line.endIndex
        return line.dropFirst(2)[..<end].split(separator: " ").map(String.init)
      }.filter { !["help", "completion"].contains($0[0]) }
  }

  @Test(arguments: programs) func everyVerbHasHelpOfItsOwn(program: String) throws {
    let verbs = try verbs(program)
    #expect(verbs.count >= 15)
    let manual = try run(program, ["help", "--all"]).text
    let completion = try run(program, ["completion", "bash"]).text
    for verb in verbs {
      let name = verb.joined(separator: " ")
      let help = try run(program, verb + ["--help"])
      #expect(help.ending == .exited(0) && help.errorText == "", "\(name)")
      #expect(help.text.hasPrefix("\(program) \(name): "), "\(name)")
      #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(name)")
      #expect(manual.contains("\n\(program) \(name): "), "\(name)")
      #expect(completion.contains("'\(name) ') "), "\(name)")
    }
  }

  @Test(arguments: programs) func theCommandsOfEveryTableHaveHelp(program: String) throws {
    for verb in ["help", "completion"] {
      for words in [[verb, "--help"], [verb, "-h"], ["help", verb]] {
        let help = try run(program, words)
        #expect(help.ending == .exited(0) && help.errorText == "", "\(words)")
        #expect(help.text.hasPrefix("\(program) \(verb): "), "\(words)")
        #expect(help.text.contains("\n  \(program) \(verb) "), "\(words)")
      }
    }
  }

  @Test(arguments: ["binnacle", "binnacled", "binnacle-launch", "binnacle-sim"])
  func everyProgramPrintsItsVersion(program: String) throws {
    let outcome = try run(program, ["--version"])
    #expect(outcome.ending == .exited(0) && outcome.text == "\(program) \(Release.version)\n")
  }

  @Test func theButtonsOfExamplesAreInTheProfiles() throws {
    let boards = TestData.packageRoot + "/boards"
    // A computer without GPIO has no buttons; the sections of desk.conf are comments.
    let profiles = try Files.list(boards).filter { $0.hasSuffix(".conf") }.compactMap {
      name -> (name: String, text: String)? in
      let text = String(decoding: try Files.read("\(boards)/\(name)"), as: UTF8.self)
      return text.contains("\n[Button ") ? (name: name, text: text) : nil
    }
    #expect(profiles.count >= 4)
    let examples = try run("binnacle", ["press", "--help"]).text.split(separator: "\n").filter {
      $0.hasPrefix("  binnacle press ") && !$0.contains("BUTTON")
    }
    #expect(examples.count == 2)
    for example in examples {
      let button = example.split(separator: " ")[2]
      for profile in profiles {
        #expect(profile.text.contains("\n[Button \(button)]\n"), "\(profile.name)")
      }
    }
  }

  /// An example with a word that does not exist is refused before anything is done; a right one is not.
  @Test(arguments: programs) func everyExampleIsRead(program: String) throws {
    let help = try run(program, ["help", "--all"]).text
    let examples = help.split(separator: "\n").compactMap { line -> [String]? in
      let words = line.split(separator: " ").map(String.init).drop { $0 == "sudo" }
      return line.hasPrefix("  \(program) ") && !line.contains("[") || line.hasPrefix("  sudo ")
        ? Array(words.dropFirst()) : nil
    }
    #expect(examples.count >= 15)
    for words in examples {
      // With --help behind it nothing runs, and the words before it are still those of a verb.
      let outcome = try run(program, words + ["--help"])
      #expect(outcome.ending == .exited(0), "\(words)")
      #expect(try run(program, words + ["--nonsense"]).ending == .exited(64), "\(words)")
    }
  }
}
