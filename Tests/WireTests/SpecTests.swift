import BinnacleBasics
import BinnacleModel
import BinnacleWire
import TestSupport
import Testing

/// `Docs/SPEC-wire.md` says what the code does.
struct SpecTests {
  @Test func theCodeMakesTheExamples() throws {
    let examples = try SpecExample.all(ofPage: "SPEC-wire.md")
    let refusal = ServerMessage.Refusal(.stopping, "bye")
    let full = ServerMessage.Refusal(.sequencesTooMany, "full")
    let report = Report(items: [
      .init(name: "receiver.speed", value: .integer(115_200)),
      .init(name: "receiver.ok?", value: .flag(true)),
    ])
    let seven = SequenceID(number: 7)
    let update = Update(fix: Samples.fix, flags: .stationary)
    let on = DefaultsEntry("on", .flag(true))
    let trip = DefaultsEntry("trip", .integer(42))
    let expected: [(String, [UInt8])] = [
      (
        "hello",
        ClientMessage.hello(.init(versionMin: 1, versionMax: 4, program: "watch")).encoded()
      ),
      ("welcome", ServerMessage.welcome(version: 4, daemon: "binnacle 01").encoded()),
      ("openUpdates", ClientMessage.openUpdates(seven, .fitness).encoded()),
      ("update", ServerMessage.update(seven, update).encoded()),
      (
        "updates",
        ServerMessage.updates([seven, SequenceID(number: 8)], Update(fix: Samples.fix)).encoded()
      ),
      ("status", ClientMessage.request(2, .status).encoded()),
      ("status", ServerMessage.status(request: 2, report).encoded()),
      ("setServices", ClientMessage.request(3, .setServices(isOn: false)).encoded()),
      ("answered", ServerMessage.answered(request: 3, nil).encoded()),
      ("openDefaults", ClientMessage.request(1, .openDefaults).encoded()),
      (
        "defaults",
        ServerMessage.defaults(request: 1, isLast: true, [trip]).encoded()
      ),
      (
        "setDefaults",
        ClientMessage.request(2, .setDefaults(isLast: true, [on, DefaultsEntry("trip", nil)]))
          .encoded()
      ),
      ("defaultsSettled", ServerMessage.defaultsSettled(request: 2, nil).encoded()),
      ("defaultsChanged", ServerMessage.defaultsChanged([on]).encoded()),
      (
        "eraseState",
        ClientMessage.request(4, .state(.erase(.defaults(app: "org.a")))).encoded()
      ),
      ("sky", ClientMessage.request(5, .sky).encoded()),
      (
        "sky",
        ServerMessage.sky(
          request: 5,
          Sky(
            time: Samples.fix.time, horizontalDilution: 0.63, positionDilution: 1.09,
            satellites: [
              Satellite(
                constellation: .galileo, number: 11, elevationDegrees: 54, azimuthDegrees: 286,
                carrierToNoiseDBHz: 47, isUsed: true, health: .healthy)
            ])
        ).encoded()
      ),
      ("updatesEnded", ServerMessage.updatesEnded(seven, full).encoded()),
      ("refused", ServerMessage.refused(refusal, isFinal: true).encoded()),
    ]
    #expect(examples.map(\.name) == expected.map(\.0))
    for (example, expectation) in zip(examples, expected) {
      #expect(example.bytes == expectation.1, "\(example.name)")
    }
  }

  @Test func theAnnotatedOffsetsAreRight() throws {
    for example in try SpecExample.all(ofPage: "SPEC-wire.md") {
      #expect(example.offsetsSaid == example.offsets, "\(example.name)")
    }
  }
}
