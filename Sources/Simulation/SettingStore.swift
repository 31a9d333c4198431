/// The configuration of a simulated receiver in its layers: as delivered, battery-backed, and current.
///
/// Power-down, RESET_N, CFG-RST and software standby clear RAM. Hardware resets and loss of V_BCKP clear the
/// battery-backed layer (NEO-F10N integration manual UBXDOC-963802114-12193, table 2). After it was cleared, RAM is
/// built from the layers below.
struct SettingStore: Sendable {
  /// An item of a layer.
  struct Item: Equatable, Sendable {
    var key: UInt32
    var value: UInt64
  }

  private let settings: [Setting]
  private var current: [UInt64]
  private var battery: [UInt64?]

  init(generation: Generation, port: SimulatedPort) {
    settings = SettingTable.settings(of: generation, port: port)
    current = settings.map(\.factoryValue)
    battery = settings.map { _ in nil }
  }

  /// The current value; the key must be in the table.
  subscript(key: UInt32) -> UInt64 {
    guard let index = index(of: key) else { preconditionFailure("\(key) is no setting") }
    return current[index]
  }

  /// Whether this firmware has the key and accepts the value.
  func accepts(_ item: Item) -> Bool {
    guard let index = index(of: item.key) else { return false }
    return settings[index].allowed.contains(item.value)
  }

  func knows(_ key: UInt32) -> Bool { index(of: key) != nil }

  mutating func setCurrent(_ item: Item) {
    if let index = index(of: item.key) { current[index] = item.value }
  }

  mutating func setBattery(_ item: Item) {
    if let index = index(of: item.key) { battery[index] = item.value }
  }

  mutating func forgetBattery(_ key: UInt32) {
    if let index = index(of: key) { battery[index] = nil }
  }

  /// CFG-CFG save of the older generations: copies all current values to the battery-backed layer.
  mutating func saveAll() {
    battery = current.map { $0 }
  }

  mutating func clearBattery() {
    battery = battery.map { _ in nil }
  }

  /// Builds RAM from the layers below, as every start does.
  ///
  /// The battery-backed layer takes any value unchecked (Docs/SOURCES.md, U6). No document states the effect of an
  /// invalid value at a start; here an invalid value counts as absent.
  mutating func reload() {
    for index in settings.indices {
      let kept = battery[index].flatMap { settings[index].allowed.contains($0) ? $0 : nil }
      current[index] = kept ?? settings[index].factoryValue
    }
  }

  /// The items of a CFG-VALGET layer (0 RAM, 1 BBR, 7 default) that a key names.
  ///
  /// FFFF names every item of a group, group FFF every group (recording pyubx2-f9p-configdebug.log asks for 0FFF0000).
  /// nil when the layer does not exist: these receivers have no flash.
  func items(matching key: UInt32, layer: UInt8) -> [Item]? {
    guard [0, 1, 7].contains(layer) else { return nil }
    let group = (key >> 16) & 0xFFF
    return settings.indices.compactMap { index -> Item? in
      let setting = settings[index]
      let isNamed: Bool
      if group == 0xFFF {
        isNamed = true
      } else if key & 0xFFFF == 0xFFFF {
        isNamed = (setting.key >> 16) & 0xFFF == group
      } else {
        isNamed = setting.key == key
      }
      guard isNamed else { return nil }
      switch layer {
      case 0: return Item(key: setting.key, value: current[index])
      case 1: return battery[index].map { Item(key: setting.key, value: $0) }
      default: return Item(key: setting.key, value: setting.factoryValue)
      }
    }
  }

  private func index(of key: UInt32) -> Int? {
    var low = 0
    var high = settings.count
    while low < high {
      let middle = (low + high) / 2
      if settings[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < settings.count && settings[low].key == key ? low : nil
  }
}
