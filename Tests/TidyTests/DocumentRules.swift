/// The files, targets and options that documents name exist.
enum DocumentRules {
  /// A relative link leads to a file of the project.
  static func links(_ document: Document, exists: (String) -> Bool) -> [Complaint] {
    document.links.compactMap { target, line in
      let path = target.prefix { $0 != "#" }
      if path.isEmpty || path.contains(":") { return nil }
      let isThere = exists(document.folder.isEmpty ? "\(path)" : "\(document.folder)/\(path)")
      return isThere ? nil : complaint(document, line, "there is no \(path)")
    }
  }

  /// `make X` names a target of the Makefile.
  static func makeTargets(_ document: Document, known: [String]) -> [Complaint] {
    document.code.flatMap { text, line -> [Complaint] in
      let words = text.split(separator: " ")
      return zip(words, words.dropFirst()).compactMap { word, target in
        guard word == "make", !target.contains("=") else { return nil }
        let name = target.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
        return known.contains(String(name))
          ? nil : complaint(document, line, "make has no target \(name)")
      }
    }
  }

  /// An option behind one of the programs is one that their sources spell.
  static func options(_ document: Document, known: (String) -> Bool) -> [Complaint] {
    document.code.flatMap { text, line -> [Complaint] in
      let words = text.split { " '\"()[]|,;".contains($0) }
      let programs = ["binnacle", "binnacled", "binnacle-sim", "binnacle-perf"]
      let start = words.firstIndex { word in
        programs.contains(word.split(separator: "/").last.map(String.init) ?? "")
      }
      guard let start else { return [] }
      return words[start...].filter { $0.hasPrefix("--") && $0.count > 2 }.compactMap { word in
        let option = String(word.prefix { $0 != "=" })
        return known(option) ? nil : complaint(document, line, "no program knows \(option)")
      }
    }
  }

  /// The rows "| `target` | sentence | uses |" of a document's tables.
  static func arrows(of document: Document) -> [(name: String, uses: [String])] {
    document.lines.compactMap { line in
      let cells = line.split(separator: "|").map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      guard cells.count == 3, cells[0].hasPrefix("`"), cells[0].hasSuffix("`") else { return nil }
      let uses = cells[2].split { $0 == "," || $0 == " " }.map(String.init)
      return (name: String(cells[0].dropFirst().dropLast()), uses: uses)
    }
  }

  /// The targets of a Makefile that have a line of help.
  static func targets(ofMakefile text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard line.contains("## "), let end = line.firstIndex(of: ":") else { return nil }
      return String(line[..<end])
    }
  }

  private static func complaint(_ document: Document, _ line: Int, _ text: String) -> Complaint {
    Complaint(path: document.path, line: line, text: text)
  }
}
