import BinnaclePosix
import Foundation
import TestSupport
import Testing

/// The listings of Apple's article on live updates, beside the project's recordings; the project does not contain them.
///
/// The listings compile with other imports and with `DeviceDefaults` in place of `UserDefaults`. The first listing uses a
/// logger that it does not declare.
@Suite(.timeLimit(.minutes(5)))
struct ArticleTests {
  private static let folder = TestData.packageRoot + "/../shared/seeds"
  private static let isThere: Bool = {
    let isRequired = (Environment.value("BINNACLE_REQUIRE") ?? "").contains("data")
    return isRequired || Files.exists(folder)
  }()

  /// The code of the article between its lines of three backticks.
  private static func listings() throws -> [String] {
    let names = try Files.list(folder).filter { $0.hasPrefix("000_") }
    let name = try #require(names.first)
    let text = String(decoding: try Files.read(folder + "/" + name), as: UTF8.self)
    let parts = text.components(separatedBy: "```")
    let code = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    return ["class LocationsHandler", "class AppDelegate", "struct MyApp"].compactMap { type in
      code.first { $0.contains(type) }
    }
  }

  private static func program(declaringLogger: Bool) throws -> String {
    let listings = try listings()
    #expect(listings.count == 3)
    var code = listings.joined(separator: "\n").components(separatedBy: "\n")
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("import ") }
      .joined(separator: "\n")
      .replacingOccurrences(of: "UserDefaults.standard", with: "DeviceDefaults.standard")
    if declaringLogger {
      code += "\nextension LocationsHandler { var logger: Logger { Logger() } }\n"
    }
    return """
      import AppRuntime
      import CoreLocation
      import Foundation
      \(code)
      struct ContentView: View {
        @ObservedObject private var handler = LocationsHandler.shared
        var body: some View { Text("\\(handler.count)") }
      }
      """
  }

  /// Checks a program with the compiler, against the modules that were built with the tests.
  private func compile(_ program: String) throws -> ChildProcess.Outcome {
    let directory = try TemporaryDirectory()
    let source = directory("Listing.swift")
    try Files.writeAtomically(Array(program.utf8), to: source)
    let products = Files.parent(of: Environment.executablePath ?? "")
    let maps = ["CBinnacle", "CBinnaclePosix"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(products)/\($0).build/module.modulemap"]
    }
    return try ChildProcess.run(
      "/usr/bin/env",
      [
        (Environment.value("SWIFT") ?? "swift") + "c", "-typecheck", "-swift-version", "6",
        "-parse-as-library", "-I", products + "/Modules", "-module-cache-path",
        directory("cache"),
      ] + maps + [source],
      environment: ProcessInfo.processInfo.environment, limit: .seconds(120))
  }

  @Test(.enabled(if: ArticleTests.isThere, "the article is not there"))
  func theListingsOfTheArticleCompileWithOtherImportsAndDefaults() throws {
    let outcome = try compile(try ArticleTests.program(declaringLogger: true))
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    // The compiler looks at the listings: without the logger that they use they do not compile.
    let control = try compile(try ArticleTests.program(declaringLogger: false))
    #expect(control.ending == .exited(1))
    #expect(control.errorText.contains("has no member 'logger'"), "\(control.errorText)")
  }
}
