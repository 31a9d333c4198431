import TestSupport
import Testing

/// The project keeps its own rules; `RuleTests` shows that each rule can be broken.
struct TidyTests {
  @Test func theCodeKeepsTheRules() {
    #expect(Project.swiftFiles.count > 30)
    let complaints = Project.swiftFiles.flatMap { file in Rules.all.flatMap { $0(file) } }
    #expect(complaints.isEmpty, "\(complaints.map(\.description).joined(separator: "\n"))")
  }

  @Test func theCommentsOfScriptsNameTheComponents() {
    #expect(Project.scripts.count > 100)
    let complaints = Project.scripts.flatMap { Rules.riddles(ofScript: $0) }
    #expect(complaints.isEmpty, "\(complaints.map(\.description).joined(separator: "\n"))")
  }

  @Test func theArrowsOfThePackageAreThoseOfTheArchitecture() {
    let found = Architecture.arrows(of: Project.text(of: "Package.swift"))
    for target in Architecture.targets {
      let uses = found.first { $0.name == target.name }?.uses
      #expect(uses?.sorted() == target.uses.sorted(), "\(target.name)")
    }
    let known =
      Architecture.targets.map(\.name)
      + [
        "TestSupport", "binnacle-fuzz", "binnacle-perf", "latency-probe", "state-cost",
        "defaults-cost", "TripApp",
      ]
    #expect(found.map(\.name).filter { !known.contains($0) } == [])
  }

  @Test func theArrowsOfTheDesignAreThoseOfTheArchitecture() {
    let rows = DocumentRules.arrows(
      of: Document(path: "", text: Project.text(of: "Docs/DESIGN.md")))
    let examples = ["DelegateUpdates", "LiveUpdates"]
    for target in Architecture.targets where !examples.contains(target.name) {
      let uses = rows.first { $0.name == target.name }?.uses
      #expect(uses?.sorted() == target.uses.sorted(), "\(target.name)")
    }
  }

  @Test func linksInDocumentsLeadSomewhere() {
    let complaints = Project.documents.flatMap {
      DocumentRules.links($0, exists: Project.exists)
    }
    #expect(complaints.isEmpty, "\(complaints.map(\.description).joined(separator: "\n"))")
  }

  @Test func commandsInDocumentsAreTargetsOfTheMakefile() {
    let known = DocumentRules.targets(ofMakefile: Project.text(of: "Makefile"))
    #expect(known.contains("test"))
    let complaints = Project.documents.flatMap { DocumentRules.makeTargets($0, known: known) }
    #expect(complaints.isEmpty, "\(complaints.map(\.description).joined(separator: "\n"))")
  }

  @Test func optionsInDocumentsAreKnownToThePrograms() {
    let spelled = Project.swiftFiles.filter { $0.target != nil || $0.path.hasPrefix("Perf/") }
      .flatMap(\.strings).map(\.text).filter { $0.contains("--") }
    // The rows of a command table name options without dashes.
    let rows = Project.swiftFiles.filter { $0.path.hasSuffix("Verbs.swift") }
      .flatMap(\.strings).map { "--" + $0.text }
    #expect(rows.contains("--json"))
    let complaints = Project.documents.flatMap { document in
      DocumentRules.options(document) { option in
        rows.contains(option) || spelled.contains { $0.contains(option) }
      }
    }
    #expect(complaints.isEmpty, "\(complaints.map(\.description).joined(separator: "\n"))")
  }
}
