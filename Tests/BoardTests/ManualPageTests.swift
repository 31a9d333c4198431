import BinnaclePosix
import TestSupport
import Testing

@testable import Board

/// The manual pages of the configuration files have every key.
struct ManualPageTests {
  /// The names behind `.B`, each with the section before it.
  private func keys(of page: String) throws -> [String] {
    let outcome = try ChildProcess.run(
      TestData.packageRoot + "/scripts/make-manual-conf.sh", [page])
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    var section = ""
    return outcome.text.split(separator: "\n").compactMap { line in
      let line = line.replacing("\\-", with: "-")
      if line.hasPrefix(".SS [") { section = String(line.dropFirst(5).dropLast()) + "." }
      guard line.hasPrefix(".B "), let sign = line.firstIndex(of: "=") else { return nil }
      return section + line.dropFirst(3)[..<sign]
    }
  }

  @Test func theManualOfProfilesHasEveryKey() throws {
    let button = Profile.settings.section(named: "Button HOME")
    let sections = Profile.settings.sections + [button].compactMap(\.self)
    let expected = sections.flatMap { section in section.keys.map { "\(section.name).\($0.name)" } }
    #expect(Set(try keys(of: "conf")) == Set(expected))
  }

  @Test func theManualOfManifestsHasEveryKey() throws {
    let expected = AppManifest.settings.sections.flatMap { $0.keys.map(\.name) }
    #expect(
      Set(try keys(of: "app")) == Set(expected + ["TemporaryUsageDescription.PURPOSE"]))
  }
}
