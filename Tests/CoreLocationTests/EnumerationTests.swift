import Foundation
import Testing

/// The module's own text: what a client in another package is told about its enumerations.
struct EnumerationTests {
  /// Code from Apple's systems says `@unknown default`, which is a warning over an enumeration that cannot grow.
  @Test func everyEnumerationThatIsNotFrozenMayGrow() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/CoreLocation")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var count = 0
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      for (index, line) in lines.enumerated() where line.hasPrefix("public enum ") {
        count += 1
        #expect(
          lines[..<index].suffix(2) == ["@nonexhaustive", "#endif"], "\(file): \(line)")
      }
    }
    #expect(count > 0)
  }
}
