import BinnaclePosix
import Testing
import Verbs

@Suite struct OptionTableTests {
  private let table = OptionTable(
    program: "tool", summary: "do things",
    options: [
      .value("form", "NAME", among: ["short", "long"], "short or long"),
      .value("file", "FILE", "the file"),
      .flag("check", "read all and do nothing"),
    ],
    closing: ["Exit status: 0 done."])

  /// The text of the refusal; nil without a refusal.
  private func refusal(_ parse: () throws(Arguments.UsageError) -> Void) -> String? {
    do {
      try parse()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func helpHasALineForEachOption() {
    #expect(
      table.help == """
        tool: do things

          tool [OPTIONS]

          --form NAME         short or long
          --file FILE         the file
          --check             read all and do nothing
          --completion SHELL  print the completion of these options for a shell: bash,
                              zsh
          --help              this list
          --version           the version

        Exit status: 0 done.
        """)
  }

  @Test func optionsAreReadAndAWrongOneIsNamed() throws {
    let arguments = try table.arguments(["--form", "x", "--check", "-h"])
    #expect(arguments.value("form") == "x")
    #expect(arguments.has("check") && arguments.has("help") && !arguments.has("version"))
    #expect(
      refusal { () throws(Arguments.UsageError) in _ = try table.arguments(["--chek"]) }
        == "unknown option '--chek'; did you mean '--check'?")
  }

  @Test func aShellIsReadAndAnUnknownShellIsRefused() throws {
    #expect(try table.shell(in: table.arguments([])) == nil)
    #expect(try table.shell(in: table.arguments(["--completion", "zsh"])) == .zsh)
    let fish = try table.arguments(["--completion", "fish"])
    #expect(
      refusal { () throws(Arguments.UsageError) in _ = try table.shell(in: fish) }
        == "option '--completion' needs a shell: bash or zsh")
  }

  @Test func bashOffersOptionsAndTheirValues() throws {
    func offers(_ words: String...) throws -> [String] {
      try ShellOffers.bash("tool", table.completion(for: .bash), words)
    }
    #expect(
      try offers("")
        == ["--check", "--completion", "--file", "--form", "--help", "--version"])
    #expect(try offers("--form", "") == ["long", "short"])
    #expect(try offers("--form", "short", "--ch") == ["--check"])
    #expect(try offers("--completion", "b") == ["bash"])
    #expect(try offers("--file", "/etc/hostn") == ["/etc/hostname"])
  }
}
