/// One setting of a receiver: its key, its value as delivered, and the accepted values.
struct Setting {
  var key: UInt32
  var factoryValue: UInt64
  var allowed: Allowed

  /// The values that a receiver accepts.
  enum Allowed {
    case any
    case flag
    case range(ClosedRange<UInt64>)
    case oneOf([UInt64])

    func contains(_ value: UInt64) -> Bool {
      switch self {
      case .any: true
      case .flag: value <= 1
      case .range(let range): range.contains(value)
      case .oneOf(let values): values.contains(value)
      }
    }
  }

  /// The size in bytes of a key's value: bits 28 to 30 of the key (UBX-21035062, CFG-VALSET).
  static func size(ofKey key: UInt32) -> Int? {
    switch (key >> 28) & 7 {
    case 1, 2: 1
    case 3: 2
    case 4: 4
    case 5: 8
    default: nil
    }
  }
}

/// The settings that a generation knows, in the order of their keys.
///
/// The ids are those of UBX-21035062. Generations up to M8 have no keys on the wire; inside the
/// simulation their configuration messages write to the same table.
enum SettingTable {
  static let speed: UInt32 = 0x4052_0001
  static let measurementPeriod: UInt32 = 0x3021_0001
  static let navigationRatio: UInt32 = 0x3021_0002
  static let timeReference: UInt32 = 0x2021_0003
  static let dynamicModel: UInt32 = 0x2011_0021
  static let fixMode: UInt32 = 0x2011_0011

  /// The speeds that a UART of these receivers accepts (Docs/SOURCES.md, U3).
  static let speeds: [UInt64] = [4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600]

  /// The settings that a receiver accepts, with their values as delivered.
  ///
  /// - Parameters:
  ///   - generation: the receiver's generation.
  ///   - port: the receiver's port; generations without keys on the wire keep the settings of that port alone.
  /// - Returns: each key once.
  static func settings(of generation: Generation, port: SimulatedPort) -> [Setting] {
    var all: [Setting] = []
    func add(_ key: UInt32, _ value: UInt64, _ allowed: Setting.Allowed = .any) {
      all.append(Setting(key: key, factoryValue: value, allowed: allowed))
    }
    add(speed, UInt64(generation.factorySpeed), .oneOf(speeds))
    add(0x2052_0002, 1, .range(0...3))
    add(0x2052_0003, 0, .range(0...1))
    add(0x2052_0004, 0, .range(0...2))
    add(0x1052_0005, 1, .flag)
    add(measurementPeriod, 1000, .range(generation.shortestPeriodMilliseconds...65_535))
    add(navigationRatio, 1, .range(1...128))
    add(timeReference, generation.hasLegacyConfiguration ? 1 : 0, .range(0...4))
    // Models 10, 11 and 12 are not in all products and are refused (Docs/SOURCES.md, U4).
    add(dynamicModel, 0, .oneOf([0, 2, 3, 4, 5, 6, 7, 8, 9]))
    add(fixMode, 3, .range(1...3))
    let hasKeys = generation.hasValueConfiguration
    for port in hasKeys ? [.i2c, .uart1] : [port] {
      for key in [port.inputUBX, port.inputNMEA, port.outputUBX, port.outputNMEA] {
        add(key, 1, .flag)
      }
      for message in generation.epochOrder { add(port.rateKey(of: message), message.factoryRate) }
    }
    if hasKeys { addModernSettings(to: &all) }
    return all.sorted { $0.key < $1.key }
  }

  /// Settings of the M10 that have no effect in the simulation, but can be set and read back.
  ///
  /// RTCM3 is left out, since SPG lacks RTCM3 (Docs/SOURCES.md, U6).
  private static func addModernSettings(to all: inout [Setting]) {
    let flags: [(UInt32, UInt64)] = [
      (0x1011_0013, 0), (0x1011_0025, 0), (0x1022_0002, 0), (0x1022_0004, 0), (0x1041_000D, 0),
      (0x1051_0002, 0), (0x1051_0003, 1),
      (0x10A2_0001, 0), (0x10A2_0002, 0), (0x10D0_0008, 0), (0x10D0_0009, 0),
      (0x10D0_000A, 1), (0x10D0_000C, 0), (0x10D0_000D, 0), (0x10D0_000E, 0), (0x10D0_0010, 0),
      (0x1031_001F, 1), (0x1031_0020, 1), (0x1031_0021, 1), (0x1031_0022, 1), (0x1031_0024, 1),
      (0x1031_0025, 1), (0x1031_0001, 1), (0x1031_0007, 1), (0x1031_000D, 1), (0x1031_000F, 0),
      (0x1031_0018, 1), (0x1005_0007, 1), (0x1005_0009, 1), (0x10F6_0051, 0),
    ]
    for (key, value) in flags {
      all.append(Setting(key: key, factoryValue: value, allowed: .flag))
    }
    let numbers: [(UInt32, UInt64)] = [
      (0x2051_0001, 132), (0x20A2_0003, 0), (0x30A2_0004, 0), (0x20A2_0005, 0),
      (0x3011_00B3, 100), (0x3011_00B4, 350), (0x3011_00B1, 250), (0x2025_0038, 0),
      (0x3025_003B, 0), (0x2022_0021, 50), (0x2022_0022, 76), (0x2022_0032, 76),
      (0x4005_0002, 1_000_000), (0x4005_0003, 1_000_000), (0x4005_0005, 100_000), (0x2005_000C, 0),
      (0x20D0_0001, 0), (0x40D0_0002, 10), (0x40D0_0003, 10), (0x40D0_0004, 0), (0x30D0_0005, 0),
      (0x20D0_0006, 0), (0x20D0_0007, 0), (0x40D0_000F, 0), (0x2092_0007, 7),
    ]
    for (key, value) in numbers {
      all.append(Setting(key: key, factoryValue: value, allowed: .any))
    }
  }
}
