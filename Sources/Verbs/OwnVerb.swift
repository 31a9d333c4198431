/// A command of every table.
enum OwnVerb: String, CaseIterable {
  case help
  case completion

  /// The command with its operands.
  var synopsis: String {
    switch self {
    case .help: "help [COMMAND|--all]"
    case .completion: "completion bash|zsh"
    }
  }

  /// One line without a full stop.
  var summary: String {
    switch self {
    case .help: "the list of commands, the help of a command, or the help of all commands"
    case .completion: "print the completion script for a shell"
    }
  }
}
