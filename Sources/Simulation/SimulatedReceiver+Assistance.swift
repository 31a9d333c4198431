import BinnacleBasics

/// Assistance of M8 and later.
///
/// Sources: UBX-18010854, 5.12; UBX-21035062, UBX-MGA; flow control: ZED-F9P integration manual, 3.9.4.3.
extension SimulatedReceiver {
  mutating func obeyAssistance(
    _ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8], at now: Instant
  ) {
    switch (messageClass, id, payload.count) {
    case (0x27, 0x03, 0):
      let number = navigationStore.uniqueNumber(byteCount: generation.uniqueNumberBytes)
      let version: UInt8 = number.count == 5 ? 1 : 2
      send(ReceiverFrame.ubx(0x27, 0x03, [version, 0, 0, 0] + number), at: now)
    case (0x13, 0x80, 0): sendDatabase(at: now)
    case (0x13, 0x80, _):
      acknowledge(
        navigationStore.recordTold(payload, at: world.utc(at: now)), of: id, payload, at: now)
    case (0x13, 0x40, 24) where payload[0] == 0x10 && payload[2] == 0: takeTime(payload, at: now)
    case (0x13, 0x40, 20) where payload[0] == 0x01: takePosition(payload, at: now)
    default: break
    }
  }

  private mutating func sendDatabase(at now: Instant) {
    let records = navigationStore.records(of: navigator.known, at: world.utc(at: now))
    var sent = 0
    for record in records {
      let dropped = transmitter.droppedCount
      send(ReceiverFrame.ubx(0x13, 0x80, record), at: now)
      if transmitter.droppedCount == dropped { sent += 1 }
    }
    guard isAssistanceAcknowledged || navigationStore.alwaysTellsEnd else { return }
    send(ReceiverFrame.ubx(0x13, 0x60, [1, 0, 0, 0x80, UInt8(sent), 0, 0, 0]), at: now)
  }

  private mutating func takeTime(_ payload: [UInt8], at now: Instant) {
    var reader = ByteReader(Array(payload[4...]))
    guard let year = reader.u16(), let month = reader.u8(), let day = reader.u8(),
      let hour = reader.u8(), let minute = reader.u8(), let second = reader.u8(),
      reader.u8() != nil, let nanoseconds = reader.u32(), let seconds = reader.u16(),
      reader.u16() != nil, let fraction = reader.u32(),
      let told = UTCTime(
        year: Int(year), month: Int(month), day: Int(day), hour: Int(hour), minute: Int(minute),
        second: Int(second), nanoseconds: Int64(nanoseconds))
    else { return acknowledge(.notStored, of: 0x40, payload, at: now) }
    let accuracy = Interval.seconds(Int64(seconds)) + Interval(nanoseconds: Int64(fraction))
    acknowledge(
      navigationStore.timeTold(told, within: accuracy, at: world.utc(at: now)), of: 0x40, payload,
      at: now)
  }

  private mutating func takePosition(_ payload: [UInt8], at now: Instant) {
    var reader = ByteReader(Array(payload[4...]))
    guard let latitude = reader.i32(), let longitude = reader.i32(), reader.i32() != nil,
      let accuracy = reader.u32()
    else { return acknowledge(.notStored, of: 0x40, payload, at: now) }
    let truth = world.motion(at: now)
    let distance = Ellipsoid.distance(
      from: (truth.latitude, truth.longitude),
      to: (Double(latitude) / 1e7, Double(longitude) / 1e7))
    acknowledge(
      navigationStore.positionTold(metersFromTruth: distance, within: Double(accuracy) / 100),
      of: 0x40, payload, at: now)
  }

  /// Whether the receiver answers each assistance message: CFG-NAVSPG-ACKAIDING or CFG-NAVX5, off as delivered.
  private var isAssistanceAcknowledged: Bool {
    generation.hasValueConfiguration ? settings[0x1011_0025] == 1 : acknowledgesAssistance
  }

  private mutating func acknowledge(
    _ answer: NavigationStore.Answer, of id: UInt8, _ payload: [UInt8], at now: Instant
  ) {
    switch navigationStore.effect {
    case .none: break
    case .hot: navigator.assisted(at: now)
    case .spoiled: navigator.misled()
    }
    guard isAssistanceAcknowledged else { return }
    let (type, code) = answer.bytes
    send(ReceiverFrame.ubx(0x13, 0x60, [type, 0, code, id] + payload.prefix(4)), at: now)
  }
}
