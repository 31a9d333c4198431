import BinnaclePosix
import Diagnosis
import TestSupport
import Testing

/// Whole machines, healthy and ill, and the whole of what is found on them.
struct MachineTests {
  private static func names(_ prefix: String) throws -> [String] {
    try Files.list(MachineTree.directory).filter { $0.hasPrefix(prefix) }
      .map { String($0.dropLast(".tree".count)) }
  }

  @Test func aHealthyMachineHasNoFindings() throws {
    let names = try MachineTests.names("healthy-")
    #expect(names.count >= 7)
    for name in names {
      let tree = try MachineTree(name)
      #expect(tree.expected.isEmpty)
      let examination = Examination(of: tree, tree.inquiry)
      #expect(examination.findings.map(\.line) == [], "\(name)")
      #expect(examination.profile != nil, "\(name)")
    }
  }

  @Test func anIllMachineIsDiagnosed() throws {
    for name in try MachineTests.names("ill-") {
      let tree = try MachineTree(name)
      #expect(!tree.expected.isEmpty, "\(name)")
      let lines = Examination(of: tree, tree.inquiry).findings.map(\.line)
      #expect(
        lines == tree.expected, "\(name):\n\(lines.map { "  " + $0 }.joined(separator: "\n"))")
    }
  }

  @Test func thereIsAMachineForEveryFinding() throws {
    var shown: [Finding.Name] = []
    for name in try MachineTests.names("ill-") {
      let tree = try MachineTree(name)
      shown += Examination(of: tree, tree.inquiry).findings.map(\.name)
    }
    // Faults that need questions or trials are in QuestionTests, AccelerometerFindingTests and PanelFindingTests.
    let asked: [Finding.Name] = [
      .receiverAnswers, .busFails, .accelerometerFound, .accelerometerMissing,
      .accelerometerUnknown,
      .panelNotTried, .lineFails, .lampReadBack, .lampUnseen, .buttonSilent, .buttonStuck,
      .buttonUnclear,
    ]
    for name in Finding.Name.allCases where !asked.contains(name) {
      #expect(shown.contains(name), "no machine shows \(name.rawValue)")
    }
  }

  /// Faults say what mends them; only a note may have nothing to be done about it.
  @Test func everyFaultNamesItsRemedy() throws {
    for name in try MachineTests.names("ill-") {
      let tree = try MachineTree(name)
      let examination = Examination(of: tree, tree.inquiry)
      for finding in examination.findings where finding.severity == .fault {
        #expect(finding.mend?.isEmpty == false, "\(name): \(finding.line)")
        #expect(!finding.line.contains("\n"), "\(name)")
      }
      let faults = examination.findings.filter { $0.severity == .fault }
      #expect(examination.hasFaults == !faults.isEmpty)
    }
  }

  @Test func theSpecificationNamesEveryFinding() throws {
    let bytes = try Files.read(TestData.packageRoot + "/Docs/SPEC-json.md")
    let text = String(decoding: bytes, as: UTF8.self)
    for name in Finding.Name.allCases {
      #expect(text.contains("| `\(name.rawValue)` |"), "\(name.rawValue) is not in the table")
    }
  }
}
