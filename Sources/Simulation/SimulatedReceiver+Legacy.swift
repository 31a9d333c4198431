import BinnacleBasics

/// The configuration messages of generations 6 to 8 (Docs/SOURCES.md, U6).
///
/// An acknowledgement follows the answer to a poll (recording gpsd-ublox8-uniqid-monhw.log).
extension SimulatedReceiver {
  mutating func obeyLegacy(_ id: UInt8, _ payload: [UInt8], at now: Instant) {
    switch id {
    case 0x00: configurePort(payload, at: now)
    case 0x01: configureMessage(payload, at: now)
    case 0x08: configureRate(payload, at: now)
    case 0x09: configureStorage(payload, at: now)
    case 0x24: configureNavigation(payload, at: now)
    case 0x23: configureExpert(payload, at: now)
    case 0x02, 0x06, 0x11, 0x13, 0x16, 0x1E, 0x31, 0x39, 0x3B, 0x3E, 0x86:
      // INF, DAT, RXM, ANT, SBAS, ODO, TP5, ITFM, PM2, GNSS, PMS: known and accepted, without effect here.
      answer(0x06, id, isTaken: !payload.isEmpty, at: now)
    default:
      // CFG-VALSET, VALGET and VALDEL are among them: protocols up to 23.01 do not know these messages.
      answer(0x06, id, isTaken: false, at: now)
    }
  }

  /// CFG-PRT: 20 bytes set a port; an empty payload or the port's number is a poll.
  private mutating func configurePort(_ payload: [UInt8], at now: Instant) {
    guard payload.count == 20 else {
      let port = payload.first ?? 1
      guard payload.count <= 1, port <= 4 else {
        return answer(0x06, 0x00, isTaken: false, at: now)
      }
      send(ReceiverFrame.ubx(0x06, 0x00, portPayload(port)), at: now)
      return answer(0x06, 0x00, isTaken: true, at: now)
    }
    // Ports without a connection accept every setting.
    guard payload[0] == port.number else {
      return answer(0x06, 0x00, isTaken: payload[0] <= 4, at: now)
    }
    var reader = ByteReader(Array(payload.dropFirst(4)))
    guard let mode = reader.u32(), let speed = reader.u32(), let input = reader.u16(),
      let output = reader.u16(), let flags = reader.u16(), isLineGood(mode: mode, speed: speed)
    else { return answer(0x06, 0x00, isTaken: false, at: now) }
    hasLongTimeout = flags & 0x02 != 0
    var values: [(UInt32, UInt64)] = [
      (port.inputUBX, UInt64(input & 1)), (port.inputNMEA, UInt64(input >> 1 & 1)),
      (port.outputUBX, UInt64(output & 1)), (port.outputNMEA, UInt64(output >> 1 & 1)),
    ]
    if port.hasSpeed { values.append((SettingTable.speed, UInt64(speed))) }
    for (key, value) in values { settings.setCurrent(.init(key: key, value: value)) }
    acknowledge(0x00, changingSpeedTo: speedInForce, at: now)
  }

  /// 8N1 at a known speed for a UART, an address for DDC (u-blox M8 receiver description, UBX-CFG-PRT).
  private func isLineGood(mode: UInt32, speed: UInt32) -> Bool {
    switch port {
    case .uart1: mode & 0x08C0 == 0x08C0 && SettingTable.speeds.contains(UInt64(speed))
    case .i2c: mode == UInt32(SimulatedDDC.deliveredAddress) << 1
    case .usb: true
    }
  }

  private func portPayload(_ number: UInt8) -> [UInt8] {
    var writer = ByteWriter()
    writer.u8(number)
    writer.u8(0)
    writer.u16(0)
    let isOurs = number == port.number
    let isLine = isOurs && port.hasSpeed
    let address = isOurs && port == .i2c ? UInt32(SimulatedDDC.deliveredAddress) << 1 : 0
    writer.u32(isLine ? 0x08D0 : address)
    writer.u32(isLine ? UInt32(settings[SettingTable.speed]) : 0)
    let input = settings[port.inputUBX] | settings[port.inputNMEA] << 1 | 4
    let output = settings[port.outputUBX] | settings[port.outputNMEA] << 1
    writer.u16(isOurs ? UInt16(input) : 7)
    writer.u16(isOurs ? UInt16(output) : 3)
    writer.u32(0)
    return writer.bytes
  }

  /// CFG-MSG: 8 bytes with a rate for each port, 3 bytes for this port, 2 bytes for a poll.
  private mutating func configureMessage(_ payload: [UInt8], at now: Instant) {
    guard [2, 3, 8].contains(payload.count) else {
      return answer(0x06, 0x01, isTaken: false, at: now)
    }
    guard let known = generation.epochOrder.first(where: { $0.address == (payload[0], payload[1]) })
    else { return answer(0x06, 0x01, isTaken: false, at: now) }
    if payload.count == 2 {
      var rates = [UInt8](repeating: 0, count: 6)
      rates[Int(port.number)] = UInt8(truncatingIfNeeded: settings[port.rateKey(of: known)])
      send(ReceiverFrame.ubx(0x06, 0x01, Array(payload) + rates), at: now)
    } else {
      // The ports are DDC, UART1, UART2, USB, SPI and a reserved port.
      let rate = payload.count == 3 ? payload[2] : payload[2 + Int(port.number)]
      settings.setCurrent(.init(key: port.rateKey(of: known), value: UInt64(rate)))
    }
    answer(0x06, 0x01, isTaken: true, at: now)
  }

  /// CFG-RATE: milliseconds, cycles, time reference.
  private mutating func configureRate(_ payload: [UInt8], at now: Instant) {
    if payload.isEmpty {
      var writer = ByteWriter()
      writer.u16(UInt16(settings[SettingTable.measurementPeriod]))
      writer.u16(UInt16(settings[SettingTable.navigationRatio]))
      writer.u16(UInt16(settings[SettingTable.timeReference]))
      send(ReceiverFrame.ubx(0x06, 0x08, writer.bytes), at: now)
      return answer(0x06, 0x08, isTaken: true, at: now)
    }
    var reader = ByteReader(payload)
    guard payload.count == 6, let measurement = reader.u16(), let ratio = reader.u16(),
      let reference = reader.u16()
    else { return answer(0x06, 0x08, isTaken: false, at: now) }
    let items: [SettingStore.Item] = [
      .init(key: SettingTable.measurementPeriod, value: UInt64(measurement)),
      .init(key: SettingTable.navigationRatio, value: UInt64(ratio)),
      .init(key: SettingTable.timeReference, value: UInt64(reference)),
    ]
    guard items.allSatisfy(settings.accepts) else {
      return answer(0x06, 0x08, isTaken: false, at: now)
    }
    for item in items { settings.setCurrent(item) }
    scheduleEpoch(after: now)
    answer(0x06, 0x08, isTaken: true, at: now)
  }

  /// CFG-CFG: clear, save, load; with or without the device mask.
  private mutating func configureStorage(_ payload: [UInt8], at now: Instant) {
    var reader = ByteReader(payload)
    guard payload.count == 12 || payload.count == 13, let clear = reader.u32(),
      let save = reader.u32(), let load = reader.u32()
    else { return answer(0x06, 0x09, isTaken: false, at: now) }
    if clear != 0 { settings.clearBattery() }
    if save != 0 { settings.saveAll() }
    guard load != 0 else { return answer(0x06, 0x09, isTaken: true, at: now) }
    settings.reload()
    scheduleEpoch(after: now)
    acknowledge(0x09, changingSpeedTo: speedInForce, at: now)
  }

  /// CFG-NAV5: the mask selects the fields.
  private mutating func configureNavigation(_ payload: [UInt8], at now: Instant) {
    if payload.isEmpty {
      var answered = [UInt8](repeating: 0, count: 36)
      answered[0] = 0xFF
      answered[1] = 0xFF
      answered[2] = UInt8(settings[SettingTable.dynamicModel])
      answered[3] = UInt8(settings[SettingTable.fixMode])
      send(ReceiverFrame.ubx(0x06, 0x24, answered), at: now)
      return answer(0x06, 0x24, isTaken: true, at: now)
    }
    guard payload.count == 36 else { return answer(0x06, 0x24, isTaken: false, at: now) }
    var items: [SettingStore.Item] = []
    if payload[0] & 0x01 != 0 {
      items.append(.init(key: SettingTable.dynamicModel, value: UInt64(payload[2])))
    }
    if payload[0] & 0x04 != 0 {
      items.append(.init(key: SettingTable.fixMode, value: UInt64(payload[3])))
    }
    guard items.allSatisfy(settings.accepts) else {
      return answer(0x06, 0x24, isTaken: false, at: now)
    }
    for item in items { settings.setCurrent(item) }
    answer(0x06, 0x24, isTaken: true, at: now)
  }

  /// CFG-NAVX5, 40 bytes: only ackAiding has an effect here, bit 10 of mask1 and byte 17.
  ///
  /// Sources: UBX-18010854, 5.9.14; ublox_msgs CfgNAVX5 for the number of the bit.
  private mutating func configureExpert(_ payload: [UInt8], at now: Instant) {
    guard payload.count == 40, generation.hasAssistance else {
      return answer(0x06, 0x23, isTaken: !payload.isEmpty, at: now)
    }
    if payload[3] & 0x04 != 0 { acknowledgesAssistance = payload[17] == 1 }
    answer(0x06, 0x23, isTaken: true, at: now)
  }
}
