import Basics
import I2C
import Simulation
import Testing

@testable import Accelerometers

/// Asking a bus who is there, without a word that could change anything.
struct AccelerometerProbeTests {
  /// Lets a probe look; every transfer that wrote more than a register's number is counted.
  private func look(
    on bus: SimulatedI2CBus, _ settings: AccelerometerSettings = AccelerometerSettings()
  ) -> (step: AccelerometerProbe.Step, writes: Int) {
    var bus = bus
    var probe = AccelerometerProbe(settings)
    var step = probe.first
    var writes = 0
    while case .look(let order) = step {
      var answers: [[UInt8]] = []
      var failure: I2CError?
      for case .transfer(let transfer) in order.steps where failure == nil {
        for case .write(let bytes) in transfer.parts where bytes.count > 1 { writes += 1 }
        switch bus.carryOut(transfer, at: .zero) {
        case .answers(let more): answers += more
        case .failure(let errno): failure = I2CError(.noAcknowledge, "error \(errno)")
        }
      }
      step = probe.orderEnded(
        I2COrder.Outcome(
          ticket: I2COrder.Ticket(.accelerometer, number: 1), answers: answers, failure: failure,
          began: .zero, ended: .zero))
    }
    return (step, writes)
  }

  @Test func aChipIsNamedAndNothingIsWritten() {
    let bus = SimulatedI2CBus(accelerometers: [SimulatedADXL345(seed: 1)])
    let (step, writes) = look(on: bus)
    #expect(step == .found(model: "ADXL345", address: 0x53))
    #expect(writes == 0)
  }

  @Test func anEmptyBusHasNone() {
    guard case .nothing(let fault) = look(on: SimulatedI2CBus(accelerometers: [])).step else {
      Issue.record("a chip out of nothing")
      return
    }
    #expect(fault.kind == .notFound)
  }
}
