import BinnacleBasics
import LaunchWire
import Testing

@Suite struct LaunchWireTests {
  private static let longest =
    "org." + String(repeating: "a", count: LaunchRequest.identifierSizeMax - 4)

  private static let requests: [LaunchRequest.Kind] = [
    .identify, .attend, .order("org.example.a", .start(isForLocation: true)),
    .order("org.example.a", .start(isForLocation: false)), .order("org.example.a", .freeze),
    .order("org.example.a", .thaw), .order("org.example.a", .end), .order(longest, .kill),
  ]

  @Test(arguments: [0, 1, .max] as [UInt32])
  func everyRequestIsReadBackAndEveryDamagedOneIsRefused(number: UInt32) {
    for kind in LaunchWireTests.requests {
      let request = LaunchRequest(number: number, kind)
      let packet = request.encoded
      #expect(LaunchRequest(decoding: packet) == request)
      #expect(packet.count <= LaunchRequest.sizeMax)
      #expect(LaunchRequest(decoding: packet + [0]) == nil)
      for count in 0..<packet.count {
        #expect(LaunchRequest(decoding: Array(packet.prefix(count))) == nil)
      }
    }
  }

  private static let reports: [LaunchReport] = [
    .answer(
      7,
      .program(path: "/usr/bin/tracker", device: .max, file: 70, changeTimeNanoseconds: .max)),
    .answer(
      8,
      .program(
        path: "/" + String(repeating: "a", count: 4_095), device: 0, file: 0,
        changeTimeNanoseconds: .min)),
    .answer(.max, .unknown(reason: "no such process")), .answer(1, .done),
    .answer(2, .failed(reason: "there is no user tracker")),
    .running(
      .init(identifier: "org.example.a", processID: 7, isFrozen: true, group: .session)),
    .running(
      .init(
        identifier: longest, processID: .max, isFrozen: false,
        group: .controlGroup("/system.slice/binnacle-launch.service/app-org.example.a"))),
    .attended, .ended("org.example.a", .exited(status: 3)),
    .ended("org.example.a", .killed(signal: 9)), .ended("org.example.a", .unknown),
    .output("org.example.a", line: ""),
    .output(longest, line: String(repeating: "a", count: LaunchReport.lineSizeMax)),
    .outputLost("org.example.a", count: .max),
  ]

  @Test func everyReportIsReadBackAndEveryDamagedOneIsRefused() {
    for report in LaunchWireTests.reports {
      let packet = report.encoded
      #expect(LaunchReport(decoding: packet) == report)
      #expect(packet.count <= LaunchReport.sizeMax)
      #expect(LaunchReport(decoding: packet + [0]) == nil)
      for count in 0..<min(packet.count, 60) {
        #expect(LaunchReport(decoding: Array(packet.prefix(count))) == nil)
      }
    }
  }

  /// Packets with a few changed bytes are refused, or are other packets with the same bytes.
  @Test func damagedPacketsAreRefusedOrWhole() {
    var random = Random(seed: 16)
    let requests = LaunchWireTests.requests.map { LaunchRequest(number: 7, $0).encoded }
    let packets = requests + LaunchWireTests.reports.map(\.encoded)
    for _ in 0..<20_000 {
      var packet = packets[Int(random.next() % UInt64(packets.count))]
      for _ in 0...(random.next() % 3) {
        packet[Int(random.next() % UInt64(min(packet.count, 48)))] = UInt8(random.next() & 0xFF)
      }
      if let request = LaunchRequest(decoding: packet) { #expect(request.encoded == packet) }
      if let report = LaunchReport(decoding: packet) { #expect(report.encoded == packet) }
    }
  }

  @Test func aNameThatCouldBeAPathIsNoIdentifier() {
    for name in ["", "..", ".a", "a/b", "org.example.a\n", "org example", "ö", longestAndOne] {
      let request = LaunchRequest(number: 1, .order(name, .freeze))
      #expect(LaunchRequest(decoding: request.encoded) == nil)
      #expect(LaunchReport(decoding: LaunchReport.ended(name, .unknown).encoded) == nil)
    }
  }

  private var longestAndOne: String { LaunchWireTests.longest + "a" }

  @Test func aPathThatIsNotFromTheRootIsRefused() {
    let relative = LaunchReport.answer(
      7, .program(path: "tracker", device: 1, file: 1, changeTimeNanoseconds: 1))
    #expect(LaunchReport(decoding: relative.encoded) == nil)
    let group = LaunchReport.running(
      .init(identifier: "a.b", processID: 1, isFrozen: false, group: .controlGroup("app")))
    #expect(LaunchReport(decoding: group.encoded) == nil)
  }

  @Test func anotherVersionIsRefused() {
    for version in [2, 4] as [UInt8] {
      var request = LaunchRequest(number: 1, .attend).encoded
      request[0] = version
      #expect(LaunchRequest(decoding: request) == nil)
      var report = LaunchReport.attended.encoded
      report[0] = version
      #expect(LaunchReport(decoding: report) == nil)
    }
  }
}
