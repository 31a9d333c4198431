import BinnacleBasics
import BinnacleModel
import LocationEngine
import Simulation
import Testing
import UBX

/// A receiver over I2C: the same driver over another transport.
@Suite struct BusReceiverTests {
  /// NAV-PVT, or what generation 6 has in its place, in what came over the bus.
  private func wholeEpochs(_ bytes: [UInt8]) -> Int {
    var parser = FrameParser()
    parser.append(bytes)
    var count = 0
    while let frame = parser.next() {
      if frame.kind == .ubx(messageClass: 0x01, id: 0x07) { count += 1 }
    }
    return count
  }

  @Test(arguments: [Generation.m10, .m8])
  func aReceiverIsConfiguredAndDelivers(generation: Generation) {
    var desk = BusDesk(generation)
    desk.open()
    desk.run(seconds: 30)
    let report = desk.report()
    #expect(report["receiver.state"] == .text("running"))
    #expect(report["receiver.port"] == .text("i2c"))
    #expect(report["receiver.speed_baud"] == nil)
    #expect(report["receiver.differences"] == nil)
    #expect(report["damage.bytes"] == .integer(0))
    #expect(desk.fixes.count >= 24)
    #expect(desk.fixes.allSatisfy { !$0.isSimulatedBySoftware })
    #expect(!desk.lines.contains { $0.contains("baud") })
    #expect(!desk.effects.contains { if case .receiver(.setSpeed) = $0 { true } else { false } })
    #expect(
      !desk.effects.contains { if case .storage(.commit) = $0 { true } else { false } })
  }

  @Test func aReceiverOfAVirtualBoardIsSimulated() {
    var desk = BusDesk()
    desk.kind = .virtualI2C
    desk.open()
    desk.run(seconds: 10)
    #expect(desk.report()["receiver.port"] == .text("i2c of a virtual board"))
    #expect(!desk.fixes.isEmpty)
    #expect(desk.fixes.allSatisfy { $0.isSimulatedBySoftware })
  }

  @Test func theRateSetsThePollInterval() {
    var desk = BusDesk()
    desk.open()
    desk.run(seconds: 20)
    desk.transferCount = 0
    desk.run(seconds: 10)
    // Two reads of the length ten times a second, and the stream.
    #expect((200...280).contains(desk.transferCount))
    var fast = BusDesk(rateHz: 10)
    fast.open()
    fast.run(seconds: 20)
    let before = fast.fixes.count
    fast.transferCount = 0
    fast.run(seconds: 10)
    #expect((98...102).contains(fast.fixes.count - before))
    #expect((700...1_000).contains(fast.transferCount))
  }

  /// Transfers that are not acknowledged and wrong lengths cost nothing: what was not fetched waits.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func everyEpochArrivesIfOneTransferInAHundredFails(seed: UInt64) {
    var faults = SimulatedDDC.Faults()
    faults.noAcknowledge = 0.01
    faults.bogusLength = 0.01
    var desk = BusDesk(seed: seed, rateHz: 10, faults: faults)
    desk.open()
    desk.run(seconds: 20)
    let epochs = desk.device.receiver.counters.epochs
    let fixes = desk.fixes.count
    desk.run(seconds: 100)
    #expect(abs(desk.device.receiver.counters.epochs - epochs - (desk.fixes.count - fixes)) <= 1)
    #expect(desk.device.counters.notAcknowledged > 50)
    #expect(desk.device.counters.bogusLengths > 50)
    #expect(desk.report()["receiver.resets"] == .integer(0))
    #expect(desk.report()["receiver.openings"] == .integer(1))
  }

  /// A transfer that breaks off takes bytes with it: the frame that they belong to, and no other.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func everyWholeEpochArrivesIfTransfersAreInterrupted(seed: UInt64) {
    var faults = SimulatedDDC.Faults()
    faults.stretch = 0.01
    faults.noAcknowledge = 0.01
    faults.bogusLength = 0.01
    var desk = BusDesk(seed: seed, rateHz: 10, faults: faults)
    desk.open()
    desk.run(seconds: 20)
    desk.bytes = []
    let fixes = desk.fixes.count
    let before = desk.device.receiver.counters.epochs
    desk.run(seconds: 100)
    let whole = wholeEpochs(desk.bytes)
    #expect(abs(whole - (desk.fixes.count - fixes)) <= 1)
    let lost = desk.device.receiver.counters.epochs - before - whole
    #expect(lost <= desk.device.counters.brokenOff)
    #expect(whole >= 970)
    #expect(desk.device.counters.bytesLost > 0)
  }

  @Test func aReceiverThatVanishesIsReportedAndFoundAgain() {
    var desk = BusDesk()
    desk.open()
    desk.run(seconds: 20)
    desk.device.faults.noAcknowledge = 1
    desk.run(seconds: 30)
    #expect(desk.lines.filter { $0.contains("was lost") }.count == 1)
    #expect(desk.updates.last?.flags == .locationUnavailable)
    desk.device.faults.noAcknowledge = 0
    desk.run(seconds: 20)
    #expect(desk.report()["receiver.state"] == .text("running"))
    #expect(desk.updates.last?.fix != nil)
  }
}
