import BinnacleBasics
import Testing
import VirtualWire

/// The messages of a virtual board survive their bytes, and nothing else is taken for one.
struct VirtualMessageTests {
  private static let longest = String(repeating: "é", count: 32)

  private static let lineOrders: [LineOrder] =
    [
      .claim(VirtualSpecTests.claim), .claim(LineClaim(line: longest, consumer: "", use: .input)),
      .claim(LineClaim(line: "A", consumer: "B", use: .output(isActive: false))),
      .claim(LineClaim(line: "A", consumer: "B", use: .output(isActive: true))),
      .set(ticket: .max, isActive: true), .set(ticket: 0, isActive: false), .get(ticket: 9),
    ]
  private static let lineAnswers: [LineAnswer] =
    [
      .granted(isActive: true, isDebounced: false), .granted(isActive: false, isDebounced: true),
      .value(ticket: 1, isActive: true), .failed(ticket: 2, text: "no"),
      .edge(isActive: false, nanoseconds: .min), .gone(text: ""),
    ] + LineAnswer.RefusalKind.allCases.map { .refused(.init($0, "why")) }
  private static let controlOrders: [ControlOrder] =
    [
      .press(part: "HOME", isPressed: true), .read(line: "GPIO1"),
      .steal(line: "GPIO1", consumer: "led0"), .plugLines(isPlugged: false), .parts,
      .chip(address: 0x18, .plug(true)), .chip(address: 0x18, .accelerate(x: 1, y: -2, z: 3)),
      .chip(address: 0x18, .freeze(axis: 2)), .chip(address: 0x18, .freeze(axis: nil)),
      .chip(address: 0x18, .pretend(identity: 0x42)), .chip(address: 0x18, .pretend(identity: nil)),
      .chip(address: 0x18, .kill(true)), .bus(.stick(true)),
      .bus(.fail(count: 3, errno: 121, address: 0x53)),
      .bus(.fail(count: 3, errno: 5, address: nil)),
      .bus(.glitch(perMillion: 1_000_000)), .bus(.refuseJoinedReads(true)),
    ] + ControlOrder.Drive.allCases.flatMap { [.drive(line: "A", $0), .stick(line: "B", $0)] }
  private static let controlAnswers: [ControlAnswer] = [
    .done, .failed("no such button"), .line(.init(isHigh: true, use: .output, consumer: "x")),
    .parts([]),
    .parts([.init(.button, name: "HOME", line: "GPIO5"), .init(.lamp, name: "L", line: "GPIO6")]),
  ]

  /// Each message and its bytes, and whether reading the bytes gives the same bytes again.
  private static let readers: [(name: String, read: @Sendable ([UInt8]) -> [UInt8]?)] = [
    ("hello", { VirtualHello(decoding: $0)?.encoded() }),
    ("greeting", { VirtualGreeting(decoding: $0)?.encoded() }),
    ("line order", { LineOrder(decoding: $0)?.encoded() }),
    ("line answer", { LineAnswer(decoding: $0)?.encoded() }),
    ("control order", { ControlOrder(decoding: $0)?.encoded() }),
    ("control answer", { ControlAnswer(decoding: $0)?.encoded() }),
  ]

  @Test func everyMessageSurvivesItsBytes() {
    for order in Self.lineOrders { #expect(LineOrder(decoding: order.encoded()) == order) }
    for answer in Self.lineAnswers { #expect(LineAnswer(decoding: answer.encoded()) == answer) }
    for order in Self.controlOrders { #expect(ControlOrder(decoding: order.encoded()) == order) }
    for answer in Self.controlAnswers {
      #expect(ControlAnswer(decoding: answer.encoded()) == answer)
    }
    for face in VirtualFace.allCases {
      #expect(VirtualHello(decoding: VirtualHello(face).encoded()) == VirtualHello(face))
    }
    for reason in VirtualGreeting.RefusalKind.allCases {
      let refused = VirtualGreeting.refused(.init(reason, "why"))
      #expect(VirtualGreeting(decoding: refused.encoded()) == refused)
    }
  }

  private static var allBytes: [[UInt8]] {
    lineOrders.map { $0.encoded() } + lineAnswers.map { $0.encoded() }
      + controlOrders.map { $0.encoded() } + controlAnswers.map { $0.encoded() }
      + [VirtualHello(.lines).encoded()]
  }

  @Test func aMessageThatIsCutOrTooLongIsNone() {
    for bytes in Self.allBytes {
      for reader in Self.readers where reader.read(bytes) != nil {
        for count in 0..<bytes.count {
          #expect(reader.read(Array(bytes.prefix(count))) == nil, "\(reader.name) \(bytes)")
        }
        #expect(reader.read(bytes + [0]) == nil, "\(reader.name) \(bytes)")
      }
    }
  }

  @Test func bytesThatAreReadAreWrittenTheSame() {
    var random = Random(seed: 11)
    for _ in 0..<20_000 {
      var bytes = Self.allBytes[Int(random.next() % UInt64(Self.allBytes.count))]
      let place = Int(random.next() % UInt64(bytes.count))
      bytes[place] = UInt8(truncatingIfNeeded: random.next())
      for reader in Self.readers {
        if let again = reader.read(bytes) { #expect(again == bytes, "\(reader.name)") }
      }
    }
  }

  @Test func noMessageIsLongerThanTheLimit() {
    let long = String(repeating: "é", count: 5_000)
    let part = ControlAnswer.Part(.lamp, name: long, line: long)
    let parts = ControlAnswer.parts(Array(repeating: part, count: 1_000))
    #expect(parts.encoded().count <= VirtualLimits.messageSizeMax)
    guard case .parts(let read) = ControlAnswer(decoding: parts.encoded()) else {
      Issue.record("the parts do not survive")
      return
    }
    #expect(read.count == ControlAnswer.partsMax)
    #expect(LineAnswer(decoding: LineAnswer.gone(text: long).encoded()) != nil)
    #expect(
      LineOrder(
        decoding: LineOrder.claim(
          LineClaim(line: long, consumer: long, use: .input)
        ).encoded()) != nil)
  }
}
