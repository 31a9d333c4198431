import Foundation
import Synchronization
import Testing

@testable import CoreLocation

/// The reports about methods of a delegate that Swift does not call.
struct UncalledMethodsTests {
  private class Listener: NSObject, CLLocationManagerDelegate {}
  private class Middle: Listener {}
  private final class Tracker: Middle {}
  private final class Logger: Listener {}
  private final class Plain: NSObject, CLLocationManagerDelegate {}

  /// The reports of a test.
  private final class Sink: Sendable {
    let lines = Mutex<[String]>([])
  }

  private let sink = Sink()
  private let methods: UncalledMethods
  private var lines: [String] { sink.lines.withLock { $0 } }

  init() {
    methods = UncalledMethods { [sink] line in sink.lines.withLock { $0.append(line) } }
  }

  @Test func aSubclassIsReportedOnceWithTheClassThatAdoptsTheProtocol() {
    for _ in 0..<2 { methods.defaultCalled("first", of: Tracker()) }
    #expect(
      lines == [
        "if Tracker declares first, this method is not called, because its superclass Listener adopts"
          + " CLLocationManagerDelegate without the method; declare it in Listener, and override it in Tracker"
      ])
  }

  @Test func eachMethodAndEachClassHasItsOwnReport() {
    methods.defaultCalled("first", of: Tracker())
    methods.defaultCalled("second", of: Tracker())
    methods.defaultCalled("first", of: Logger())
    #expect(
      lines.map { $0.prefix(24) } == [
        "if Tracker declares firs", "if Tracker declares seco", "if Logger declares first",
      ])
  }

  @Test func aClassThatAdoptsTheProtocolItselfIsNotReported() {
    methods.defaultCalled("first", of: Plain())
    methods.defaultCalled("first", of: Listener())
    #expect(lines.isEmpty)
  }
}
