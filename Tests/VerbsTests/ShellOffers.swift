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

  /// Whether zsh is installed.
  static var hasZsh: Bool { Files.exists("/usr/bin/zsh") }

  /// The words that zsh offers behind the program's name when it loads the script as the function of the completion.
  static func zsh(_ program: String, _ script: String) throws -> [String] {
    let outcome = try ChildProcess.run(
      "zsh",
      [
        "-f", "-c",
        "compadd() { shift; print -l -- \"$@\"; }; words=(\(program) ''); CURRENT=2"
          + "\nfunctions[_\(program)]=$1; _\(program)",
        "zsh", script,
      ])
    #expect(outcome.errorText == "")
    return outcome.text.split(separator: "\n").map(String.init).sorted()
  }
}
