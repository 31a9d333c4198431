import BinnacleBasics

/// The receiver's reaction to a message of the host.
extension SimulatedReceiver {
  mutating func obey(_ command: CommandReader.Command, at now: Instant) {
    switch command {
    case .sentence(let address):
      guard settings[port.inputNMEA] == 1, settings[port.outputNMEA] == 1,
        address.hasPrefix("P"), !address.hasPrefix("PUBX")
      else { return }
      // The answer to other makers' sentences is that of recording gpsd-ublox8-uniqid-monhw.log.
      send(
        SentenceEncoder.notice("\(address.prefix(4)) inv format", kind: 1, of: generation), at: now)
    case .message(let messageClass, let id, let payload):
      guard settings[port.inputUBX] == 1 else { return }
      if messageClass == 0x06, isOdd(id, payload, at: now) { return }
      obey(messageClass, id, payload, at: now)
    }
  }

  /// Whether an oddity decides the reaction to a configuration message.
  private mutating func isOdd(_ id: UInt8, _ payload: [UInt8], at now: Instant) -> Bool {
    let obeysPortOnly = oddities.contains(.obeysPortOnly)
    guard obeysPortOnly || oddities.contains(.answersNoPoll) else { return false }
    if isPoll(id, payload) { return true }
    if !obeysPortOnly || setsPort(id, payload) { return false }
    answer(0x06, id, isTaken: true, at: now)
    return true
  }

  /// Whether a configuration message is a poll: CFG-VALGET, or a length that `SimulatedReceiver+Legacy` names.
  private func isPoll(_ id: UInt8, _ payload: [UInt8]) -> Bool {
    switch id {
    case 0x8B: true
    case 0x00: payload.count <= 1
    case 0x01: payload.count == 2
    case _: payload.isEmpty
    }
  }

  /// Whether a configuration message sets the protocols of the port.
  private func setsPort(_ id: UInt8, _ payload: [UInt8]) -> Bool {
    switch id {
    case 0x00: true
    case 0x8A:
      ValueList.items(Array(payload.dropFirst(4)))?.contains { $0.key == port.outputNMEA } ?? false
    case _: false
    }
  }

  private mutating func obey(
    _ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8], at now: Instant
  ) {
    switch (messageClass, id) {
    case (0x0A, 0x04):
      if payload.isEmpty { send(ReceiverFrame.ubx(0x0A, 0x04, version), at: now) }
    case (0x13, _), (0x27, 0x03):
      if generation.hasAssistance { obeyAssistance(messageClass, id, payload, at: now) }
    case (0x01, _), (0x27, _):
      let polled = generation.epochOrder.first { $0.address == (messageClass, id) }
      if payload.isEmpty, let polled, let lastEpoch,
        let frame = EpochEncoder.frame(polled, of: lastEpoch, generation: generation)
      {
        send(frame, at: now)
      }
    case (0x02, 0x41): requestStandby(payload, at: now)
    case (0x06, 0x04):
      guard payload.count == 4 else { return answer(0x06, 0x04, isTaken: false, at: now) }
      reset(
        forgetting: UInt16(payload[0]) | UInt16(payload[1]) << 8, mode: payload[2], at: now)
    case (0x06, 0x8A) where generation.hasValueConfiguration: setValues(payload, at: now)
    case (0x06, 0x8B) where generation.hasValueConfiguration: getValues(payload, at: now)
    case (0x06, 0x8C) where generation.hasValueConfiguration: deleteValues(payload, at: now)
    case (0x06, _):
      guard generation.hasLegacyConfiguration else {
        return answer(messageClass, id, isTaken: false, at: now)
      }
      obeyLegacy(id, payload, at: now)
    default: break
    }
  }

  /// MON-VER: 30 bytes of software, 10 of hardware, 30 for each extension, padded with zeros.
  private var version: [UInt8] {
    func field(_ text: String, _ width: Int) -> [UInt8] {
      let bytes = Array(text.utf8.prefix(width - 1))
      return bytes + [UInt8](repeating: 0, count: width - bytes.count)
    }
    return field(generation.software, 30) + field(generation.hardware, 10)
      + generation.extensions.flatMap { field($0, 30) }
  }

  /// Changes the speed before the acknowledgement, or after it.
  mutating func acknowledge(_ id: UInt8, changingSpeedTo speed: Int, at now: Instant) {
    guard speed != transmitter.speed else {
      return answer(0x06, id, isTaken: true, at: now)
    }
    if changesSpeedBeforeACK {
      transmitter.changeSpeedNow(speed)
      answer(0x06, id, isTaken: true, at: now)
    } else {
      answer(0x06, id, isTaken: true, at: now)
      transmitter.changeSpeedWhenEmpty(speed)
    }
  }

  // MARK: - Key-value configuration (UBX-21035062, UBX-CFG-VALSET, VALGET, VALDEL)

  private mutating func setValues(_ payload: [UInt8], at now: Instant) {
    guard payload.count >= 4, payload[0] <= 1, payload[1] & 0x03 != 0, payload[1] & ~0x03 == 0,
      let items = ValueList.items(Array(payload.dropFirst(4))), !items.isEmpty, items.count <= 64
    else { return answer(0x06, 0x8A, isTaken: false, at: now) }
    let toCurrent = payload[1] & 0x01 != 0
    // One unknown key makes the receiver refuse the whole message. Values are checked only when the RAM layer is among
    // the layers.
    guard
      items.allSatisfy({ toCurrent ? settings.accepts($0) : settings.knows($0.key) })
    else { return answer(0x06, 0x8A, isTaken: false, at: now) }
    let period = settings[SettingTable.measurementPeriod]
    let ratio = settings[SettingTable.navigationRatio]
    for item in items {
      if toCurrent { settings.setCurrent(item) }
      if payload[1] & 0x02 != 0 { settings.setBattery(item) }
    }
    if period != settings[SettingTable.measurementPeriod]
      || ratio != settings[SettingTable.navigationRatio]
    {
      scheduleEpoch(after: now)
    }
    acknowledge(0x8A, changingSpeedTo: speedInForce, at: now)
  }

  /// Answers with the items, then with an acknowledgement (recording pyubx2-f9p-configdebug.log).
  private mutating func getValues(_ payload: [UInt8], at now: Instant) {
    var reader = ByteReader(payload)
    guard reader.u8() == 0, let layer = reader.u8(), let position = reader.u16(),
      payload.count % 4 == 0, payload.count > 4, payload.count <= 4 + 64 * 4
    else { return answer(0x06, 0x8B, isTaken: false, at: now) }
    var found: [SettingStore.Item] = []
    while let key = reader.u32() {
      guard let items = settings.items(matching: key, layer: layer), !items.isEmpty else {
        return answer(0x06, 0x8B, isTaken: false, at: now)
      }
      found += items
    }
    let page = found.dropFirst(Int(position)).prefix(64)
    guard !page.isEmpty else { return answer(0x06, 0x8B, isTaken: false, at: now) }
    var writer = ByteWriter()
    writer.u8(1)
    writer.u8(layer)
    writer.u16(position)
    for item in page { ValueList.write(item, to: &writer) }
    send(ReceiverFrame.ubx(0x06, 0x8B, writer.bytes), at: now)
    answer(0x06, 0x8B, isTaken: true, at: now)
  }

  private mutating func deleteValues(_ payload: [UInt8], at now: Instant) {
    var reader = ByteReader(payload)
    guard let version = reader.u8(), version <= 1, let layers = reader.u8(), layers == 0x02,
      reader.u16() != nil, payload.count % 4 == 0, payload.count > 4
    else { return answer(0x06, 0x8C, isTaken: false, at: now) }
    var keys: [UInt32] = []
    while let key = reader.u32() { keys.append(key) }
    guard keys.allSatisfy(settings.knows) else {
      return answer(0x06, 0x8C, isTaken: false, at: now)
    }
    for key in keys { settings.forgetBattery(key) }
    answer(0x06, 0x8C, isTaken: true, at: now)
  }
}

/// Consecutive keys and values, as in CFG-VALSET and CFG-VALGET.
enum ValueList {
  static func items(_ bytes: [UInt8]) -> [SettingStore.Item]? {
    var reader = ByteReader(bytes)
    var items: [SettingStore.Item] = []
    while reader.remaining > 0 {
      guard let key = reader.u32(), let size = Setting.size(ofKey: key),
        let value = reader.take(size)
      else { return nil }
      var number: UInt64 = 0
      for byte in value.reversed() { number = number << 8 | UInt64(byte) }
      items.append(SettingStore.Item(key: key, value: number))
    }
    return items
  }

  static func write(_ item: SettingStore.Item, to writer: inout ByteWriter) {
    writer.u32(item.key)
    for index in 0..<(Setting.size(ofKey: item.key) ?? 0) {
      writer.u8(UInt8(truncatingIfNeeded: item.value >> UInt64(8 * index)))
    }
  }
}
