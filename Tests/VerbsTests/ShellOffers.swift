import BinnaclePosix
import Testing

/// The words that a shell offers with a completion script, by running the shell.
enum ShellOffers {
  /// The offered words, sorted; the last of the words behind the program's name is completed.
  static func bash(_ program: String, _ script: String, _ words: [String]) throws -> [String] {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try ChildProcess.run(
      "bash",
      [
        "-c",
        script
          + "\nCOMP_WORDS=(\(program) \(line)); COMP_CWORD=\(words.count)"
          + "\n_\(program); printf '%s\\n' \"${COMPREPLY[@]}\"",
      ])
    #expect(outcome.errorText == "")
    return outcome.text.split(separator: "\n").map(String.init).sorted()
  }
}
