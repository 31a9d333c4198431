import I2C
import TestSupport
import Testing
import VirtualWire

/// `Docs/SPEC-virtual.md` says what the code does.
struct VirtualSpecTests {
  static let claim: LineClaim = {
    var claim = LineClaim(line: "GPIO5", consumer: "binnacle HOME", use: .edges)
    claim.isActiveLow = true
    claim.bias = .pullUp
    claim.debounceMicroseconds = 10_000
    return claim
  }()

  @Test func theCodeMakesTheExamples() throws {
    let examples = try SpecExample.all(ofPage: "SPEC-virtual.md")
    let busy = LineAnswer.Refusal(.busy, "GPIO5 is held by 'x'. ")
    let expected: [(String, [UInt8])] = [
      ("hello", VirtualHello(.lines).encoded()),
      ("welcome", VirtualGreeting.welcome(version: 1, board: "board").encoded()),
      ("claim", LineOrder.claim(VirtualSpecTests.claim).encoded()),
      ("granted", LineAnswer.granted(isActive: false, isDebounced: false).encoded()),
      ("press", ControlOrder.press(part: "HOME", isPressed: true).encoded()),
      ("edge", LineAnswer.edge(isActive: true, nanoseconds: 10_000_000_000).encoded()),
      ("done", ControlAnswer.done.encoded()),
      ("get", LineOrder.get(ticket: 7).encoded()),
      ("value", LineAnswer.value(ticket: 7, isActive: true).encoded()),
      ("refusedClaim", LineAnswer.refused(busy).encoded()),
      ("transfer", BusOrder(ticket: 1, transfer: .read(1, from: 0x0F, of: 0x18)).encoded()),
      ("bytes", BusAnswer.bytes(ticket: 1, [0x33]).encoded()),
      ("failedTransfer", BusAnswer.failed(ticket: 2, errno: 121).encoded()),
      ("chip", ControlOrder.chip(address: 0x18, .accelerate(x: 1_000_000, y: 0, z: 0)).encoded()),
      ("bus", ControlOrder.bus(.stick(true)).encoded()),
      ("gone", LineAnswer.gone(text: "adieu").encoded()),
    ]
    #expect(examples.map(\.name) == expected.map(\.0))
    for (example, expectation) in zip(examples, expected) {
      #expect(example.bytes == expectation.1, "\(example.name)")
      #expect(example.offsetsSaid == example.offsets, "\(example.name)")
    }
  }
}
