/// A shell with completion of commands.
public enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
}

/// The completion of a program's commands in a shell.
extension VerbTable {
  /// The script for a shell: it completes verbs, options and the values in the rows.
  public func completion(for shell: Shell) -> String {
    let function = "_" + program.map { $0 == "-" ? "_" : String($0) }.joined()
    let cases = states.map { state in
      "    '\(state.pattern)') offer='\(state.words.joined(separator: " "))' ;;"
    }.joined(separator: "\n")
    let (current, given, offer, head, tail) =
      switch shell {
      case .bash:
        (
          "${COMP_WORDS[COMP_CWORD]}", "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"",
          "COMPREPLY=($(compgen -W \"$offer\" -- \"$current\"))\n"
            + "  [ -n \"$offer\" ] || COMPREPLY=($(compgen -f -- \"$current\"))",
          "# Completion of \(program) for bash.", "complete -F \(function) \(program)"
        )
      case .zsh:
        (
          "${words_given[CURRENT]}", "\"${(@)words_given[2,CURRENT-1]}\"",
          "if [ -n \"$offer\" ]; then compadd -- ${=offer}; else _files; fi",
          "#compdef \(program)", "compdef \(function) \(program)"
        )
      }
    let names = verbNames.joined(separator: "|")
    return """
      \(head)
      \(function)() {
        \(shell == .zsh ? "local -a words_given; words_given=(\"${words[@]}\")\n  " : "")local current="\(current)" verb='' before='' offer='' word
        for word in \(given); do
          case "${verb:+$verb }$word" in
          \(names)) verb="${verb:+$verb }$word" ;;
          esac
          before=$word
        done
        case "$before" in
        -*) ;;
        *) before='' ;;
        esac
        case "$verb $before" in
      \(cases)
          *) case "$verb " in
      \(fallbacks)
          esac ;;
        esac
        \(offer)
      }
      \(tail)
      """
  }

  /// All names, and all prefixes of names in words.
  private var verbNames: [String] {
    var names: [String] = ["help", "completion"]
    for verb in verbs {
      for count in 1...verb.words.count {
        let name = verb.words.prefix(count).joined(separator: " ")
        if !names.contains(name) { names.append(name) }
      }
    }
    return names.map { "'\($0)'" }
  }

  /// The completion after an option with a value: its values, or files.
  private var states: [(pattern: String, words: [String])] {
    verbs.flatMap { verb in
      (verb.options + sharedOptions).filter { $0.value != nil }.map {
        ("\(verb.name) --\($0.name)", $0.values)
      }
    }
  }

  private var fallbacks: String {
    var rows: [(name: String, words: [String])] = []
    rows.append(("", firstWords(behind: []) + ["help", "completion"]))
    rows.append(("help", firstWords(behind: []) + ["--all"]))
    rows.append(("completion", Shell.allCases.map(\.rawValue)))
    for verb in verbs {
      let options = (verb.options + sharedOptions).map { "--\($0.name)" } + ["--help"]
      rows.append((verb.name, firstWords(behind: verb.words) + verb.operandValues + options))
    }
    for name in Set(verbs.filter { $0.words.count > 1 }.map { $0.words[0] }).sorted()
    where !verbs.contains(where: { $0.name == name }) {
      rows.append((name, firstWords(behind: [name])))
    }
    return rows.map { "    '\($0.name) ') offer='\($0.words.joined(separator: " "))' ;;" }
      .joined(separator: "\n")
  }

  /// The words that can follow the first words of a name.
  private func firstWords(behind words: [String]) -> [String] {
    var found: [String] = []
    for verb in verbs where verb.words.count > words.count && verb.words.starts(with: words) {
      let next = verb.words[words.count]
      if !found.contains(next) { found.append(next) }
    }
    return found
  }
}
