import Accelerometers
import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

@Suite struct AccelerometerWatchTests {
  private let chip = AccelerometerDescription(
    model: "LIS3DH", address: 0x18, reading: .polledFIFO, rateHz: 50, rangeG: 2, noiseG: 0.0007,
    selfTest: "passed")

  private var engine: Engine {
    var configuration = Configuration()
    configuration.hasAccelerometer = true
    return Engine(configuration: configuration, seed: 1)
  }

  private func handle(_ events: [Event], _ engine: inout Engine) -> [Effect] {
    var effects: [Effect] = []
    for event in events { engine.handle(event, at: .zero + .seconds(10), into: &effects) }
    return effects
  }

  private func modes(_ effects: [Effect]) -> [AccelerometerMachine.Mode] {
    effects.compactMap { if case .watchAccelerometer(let mode) = $0 { mode } else { nil } }
  }

  private func report(_ engine: inout Engine) -> Report {
    for effect in handle([.client(ClientID(number: 1), .requested(1, .status))], &engine) {
      if case .client(_, .report(_, let report)) = effect { return report }
    }
    return Report()
  }

  @Test func theAccelerometerRestsUntilAClientGetsPositions() {
    var engine = engine
    #expect(modes(handle([.started], &engine)) == [.resting])
    let client = ClientID(number: 1)
    let peer = Peer(userID: 1_000, processID: 1, isOperator: true)
    let connected = Event.client(client, .connected(peer, program: "app"))
    #expect(modes(handle([connected], &engine)) == [])
    let sequence = SequenceID(number: 1)
    #expect(
      modes(handle([.client(client, .updatesOpened(sequence, .default))], &engine)) == [.streaming])
    let second = SequenceID(number: 2)
    #expect(modes(handle([.client(client, .updatesOpened(second, .default))], &engine)) == [])
    #expect(modes(handle([.client(client, .updatesClosed(sequence))], &engine)) == [])
    #expect(modes(handle([.client(client, .disconnected)], &engine)) == [.resting])
  }

  @Test func aDeniedClientWakesNoAccelerometer() {
    var engine = engine
    let stranger = ClientID(number: 1)
    let effects = handle(
      [
        .started, .client(stranger, .connected(Peer(userID: 4_711, processID: 1), program: "x")),
        .client(stranger, .updatesOpened(SequenceID(number: 1), .default)),
      ], &engine)
    #expect(modes(effects) == [.resting])
  }

  @Test func aBoardWithoutAnAccelerometerIsNotRead() {
    var engine = Engine(configuration: Configuration(), seed: 1)
    #expect(modes(handle([.started], &engine)) == [])
    #expect(report(&engine)["accelerometer.state"] == nil)
  }

  @Test func theReportNamesTheChipAndItsOrientation() {
    var engine = engine
    let batch = AccelerationBatch(
      first: .zero + .seconds(9), interval: .milliseconds(20), gPerCount: 0.001,
      counts: [10, 0, 990, 30, 0, 1_010], saturatedCount: 1, lostCount: 4)
    _ = handle(
      [.started, .accelerometer(.found(chip)), .accelerometer(.samples(batch))], &engine)
    let report = report(&engine)
    #expect(report["accelerometer.state"] == .text("working"))
    #expect(report["accelerometer.chip"] == .text("LIS3DH"))
    #expect(report["accelerometer.address"] == .integer(0x18))
    #expect(report["accelerometer.rate_hz"] == .number(50))
    #expect(report["accelerometer.samples"] == .integer(2))
    #expect(report["accelerometer.samples_lost"] == .integer(4))
    #expect(report["accelerometer.overruns"] == .integer(1))
    #expect(report["accelerometer.samples_saturated"] == .integer(1))
    #expect(report["accelerometer.last_age_s"] == .number(0.98))
    guard case .number(let x)? = report["accelerometer.last_x_g"],
      case .number(let deviation)? = report["accelerometer.last_deviation_mg"]
    else {
      Issue.record("there is no reading")
      return
    }
    #expect(abs(x - 0.02) < 1e-9)
    // Ten milli-g on each side in two axes: the root of 100 + 100.
    #expect(abs(deviation - 14.142) < 0.01)
  }

  @Test func aFaultIsReportedAndEndsWhenItIsFoundAgain() {
    var engine = engine
    let gone = Event.accelerometer(.fault(AccelerometerFault(.vanished, "no acknowledge")))
    let effects = handle([.started, .accelerometer(.found(chip)), gone], &engine)
    #expect(effects.contains(.log(.warning, "accelerometer: no acknowledge")))
    #expect(report(&engine)["accelerometer.state"] == .text("failed"))
    #expect(report(&engine)["accelerometer.fault"] == .text("no acknowledge"))
    #expect(report(&engine)["accelerometer.fault_kind"] == .text("vanished"))
    _ = handle([.accelerometer(.found(chip))], &engine)
    #expect(report(&engine)["accelerometer.state"] == .text("working"))
    #expect(report(&engine)["accelerometer.faults"] == .integer(1))
    #expect(report(&engine)["accelerometer.setups"] == .integer(2))
  }

  @Test func aFaultThatLeavesSamplesMakesItDoubtful() {
    var engine = engine
    let frozen = Event.accelerometer(.fault(AccelerometerFault(.frozen, "axis y")))
    _ = handle([.started, .accelerometer(.found(chip)), frozen], &engine)
    #expect(report(&engine)["accelerometer.state"] == .text("doubtful"))
    #expect(report(&engine)["accelerometer.fault_kind"] == .text("frozen"))
    #expect(report(&engine)["accelerometer.fault"] == .text("axis y"))
    #expect(report(&engine)["accelerometer.chip"] == .text("LIS3DH"))
  }
}
