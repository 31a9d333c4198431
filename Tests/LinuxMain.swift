import Testing

/// The entry point of the test program, in place of the one that SwiftPM makes from the index of all sources.
///
/// Without the index a build of the tests takes a fifth less time. SwiftPM runs the program once for each testing library.
@main struct TestProgram {
  static func main() async {
    // There are no tests of XCTest.
    if CommandLine.arguments.contains("xctest") { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
