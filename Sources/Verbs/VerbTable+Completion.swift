/// A shell with completion of commands.
public enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
}

/// The completion of a program's commands in a shell.
extension VerbTable {
  /// The script for a shell: it completes verbs, options and the values in the rows.
  public func completion(for shell: Shell) -> String {
    let names = verbNames.joined(separator: "|")
    let cases = states.map { "'\($0.pattern)') offer='\($0.words.joined(separator: " "))' ;;" }
    let loop = [
      "local verb='' before=''",
      "for word in \"${given[@]}\"; do",
      "  case \"${verb:+$verb }$word\" in",
      "  \(names)) verb=\"${verb:+$verb }$word\" ;;",
      "  esac",
      "done",
      "case \"$previous\" in",
      "-*) before=$previous ;;",
      "esac",
    ]
    let choice =
      ["case \"$verb $before\" in"] + cases.map { "  " + $0 }
      + ["  *) case \"$verb \" in"] + fallbacks + ["  esac ;;", "esac"]
    return CompletionScript(program: program, lines: loop + choice).text(for: shell)
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

  private var fallbacks: [String] {
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
