import Accelerometers
import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

@testable import Devices

/// A driver's files in a folder: what the kernel would show under `/sys`.
@Suite struct IIOSourceTests {
  private struct Driver {
    let root = try? TemporaryDirectory()
    let device: String

    init(bus: String = "1", address: String = "0018", hasScale: Bool = true) throws {
      let root = self.root?.path ?? ""
      device = root + "/sys/devices/i2c-\(bus)/\(bus)-\(address)/iio:device3"
      try Files.makeDirectory(device, mode: 0o755, withParents: true)
      let devices = root + "/sys/bus/iio/devices"
      try Files.makeDirectory(devices, mode: 0o755, withParents: true)
      try Files.makeLink(devices + "/iio:device3", to: device)
      try put("name", "lis3dh")
      if hasScale { try put("in_accel_scale", "0.009577") }
      try put("in_accel_x_raw", "-12")
      try put("in_accel_y_raw", "0")
      try put("in_accel_z_raw", "1024")
    }

    func put(_ name: String, _ text: String) throws {
      try Files.writeAtomically(Array((text + "\n").utf8), to: device + "/" + name)
    }

    func source(
      bus: String = "/dev/i2c-1", address: UInt8? = nil,
      mode: AccelerometerMachine.Mode = .streaming
    ) -> IIOSource? {
      IIOSource(
        busPath: bus, address: address, rateHz: 50, mode: mode, root: root?.path ?? "")
    }
  }

  private func facts(_ source: IIOSource, until isEnough: ([IIOSource.Fact]) -> Bool) throws
    -> [IIOSource.Fact]
  {
    var found: [IIOSource.Fact] = []
    let isDone = try eventually {
      found += source.facts()
      return isEnough(found)
    }
    #expect(isDone)
    return found
  }

  @Test func aDriversDeviceIsReadInG() throws {
    let driver = try Driver()
    let source = try #require(driver.source())
    // Twenty-five samples in half a second, fewer on a machine that is busy.
    let facts = try facts(source) { facts in
      facts.contains { if case .samples(let batch) = $0 { batch.count >= 2 } else { false } }
    }
    guard case .found(let description) = facts.first, case .samples(let batch) = facts.last else {
      Issue.record("neither found nor read: \(facts)")
      return
    }
    #expect(description.model == "lis3dh")
    #expect(description.address == 0x18)
    #expect(description.reading == .kernel)
    #expect((2...26).contains(batch.count))
    #expect(abs(batch[0].z - 1.0) < 0.001)
    #expect(abs(batch[0].x + 0.01172) < 0.0001)
  }

  @Test func atRestThereIsOneSample() throws {
    let driver = try Driver()
    let source = try #require(driver.source(mode: .resting))
    let facts = try facts(source) { $0.count >= 2 }
    guard case .samples(let batch) = facts[1] else {
      Issue.record("there are no samples")
      return
    }
    #expect(batch.count == 1)
    source.setMode(.streaming)
    _ = try self.facts(source) { facts in
      facts.contains { if case .samples(let batch) = $0 { batch.count > 1 } else { false } }
    }
  }

  @Test func aDeviceOfAnotherBusOrAddressIsNotUsed() throws {
    let driver = try Driver()
    #expect(driver.source(bus: "/dev/i2c-2") == nil)
    #expect(driver.source(address: 0x19) == nil)
    #expect(driver.source(address: 0x18) != nil)
    #expect(driver.source(bus: "sim:/run/board") == nil)
  }

  @Test func aDeviceWithoutAScaleIsNotUsed() throws {
    #expect(try Driver(hasScale: false).source() == nil)
  }

  @Test func theRemovalOfADriverIsReported() throws {
    let driver = try Driver()
    let source = try #require(driver.source())
    _ = try facts(source) { $0.count >= 2 }
    try Files.remove(driver.device + "/in_accel_y_raw")
    let rest = try facts(source) { facts in
      facts.contains { if case .lost = $0 { true } else { false } }
    }
    guard case .lost(let fault)? = rest.last else {
      Issue.record("no loss is reported")
      return
    }
    #expect(fault.kind == .vanished)
    #expect(fault.description.contains("in_accel_y_raw"))
  }

  @Test func nonsenseInAFileIsAFailureAndNoCrash() throws {
    let driver = try Driver()
    try driver.put("in_accel_z_raw", "not a number")
    let source = try #require(driver.source())
    let facts = try facts(source) { facts in
      facts.contains { if case .lost = $0 { true } else { false } }
    }
    #expect(!facts.contains { if case .samples = $0 { true } else { false } })
  }
}
