/// The frame of a completion script, the same for programs with verbs and without.
struct CompletionScript {
  let program: String
  /// Shell code that sets `offer` to the words that can follow; empty: files.
  ///
  /// The code has `given`, the array of the words between the program and the word to complete, and `previous`, the last of
  /// those words.
  let lines: [String]

  func text(for shell: Shell) -> String {
    let function = "_" + program.map { $0 == "-" ? "_" : String($0) }.joined()
    // zsh loads the function of a completion from a file, which has the name of the program with this prefix.
    let loaded = "_" + program
    let body = lines.map { "  " + $0 }.joined(separator: "\n")
    return switch shell {
    case .bash:
      """
      # Completion of \(program) for bash.
      \(function)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" offer='' word
        local -a given=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
      \(body)
        COMPREPLY=($(compgen -W "$offer" -- "$current"))
        [ -n "$offer" ] || COMPREPLY=($(compgen -f -- "$current"))
      }
      complete -F \(function) \(program)
      """
    case .zsh:
      """
      #compdef \(program)
      \(loaded)() {
        local current="${words[CURRENT]}" previous="${words[CURRENT-1]}" offer='' word
        local -a given; given=("${(@)words[2,CURRENT-1]}")
      \(body)
        if [ -n "$offer" ]; then compadd -- ${=offer}; else _files; fi
      }
      if [ "$funcstack[1]" = "\(loaded)" ]; then \(loaded) "$@"; else compdef \(loaded) \(program); fi
      """
    }
  }
}
