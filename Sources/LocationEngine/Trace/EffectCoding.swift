import Accelerometers
import BinnacleBasics
import BinnacleModel
import StateLog

/// The bytes of an effect, so that two runs can be compared: a tag, then its fields in order.
///
/// Tag 5 is of an order that there is no more.
extension Effect {
  private enum Tag: UInt8 {
    case openReceiver = 1
    case closeReceiver = 2
    case writeReceiver = 3
    case setReceiverSpeed = 4
    case deliver = 6
    case endUpdates = 7
    case report = 8
    case log = 9
    case openLine = 10
    case setLine = 11
    case readLine = 12
    case watchAccelerometer = 16
    case commit = 20
    case openState = 21
    case answer = 22
    case defaults = 36
    case defaultsChanged = 37
    case defaultsSettled = 38
    case reportWrites = 44
    case track = 48
    case attendReceiver = 54
  }

  /// Appends the effect's bytes.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .openReceiver(let speed):
      writer.u8(Tag.openReceiver.rawValue)
      writer.i64(Int64(speed))
    case .closeReceiver: writer.u8(Tag.closeReceiver.rawValue)
    case .writeReceiver(let bytes):
      writer.u8(Tag.writeReceiver.rawValue)
      writer.counted(bytes)
    case .attendReceiver(let isWanted):
      writer.u8(Tag.attendReceiver.rawValue)
      writer.u8(isWanted ? 1 : 0)
    case .setReceiverSpeed(let speed):
      writer.u8(Tag.setReceiverSpeed.rawValue)
      writer.i64(Int64(speed))
    case .commit(let number, let changes):
      writer.u8(Tag.commit.rawValue)
      writer.u32(number)
      writer.put(changes)
    case .openState: writer.u8(Tag.openState.rawValue)
    case .track(let order):
      writer.u8(Tag.track.rawValue)
      order.encode(into: &writer)
    case .answer(let client, let request, let failure):
      writer.u8(Tag.answer.rawValue)
      writer.u32(client.number)
      writer.u32(request)
      writer.u8(failure == nil ? 0 : 1)
      if let failure { writer.text(failure) }
    case .deliver(let client, let sequences, let update):
      writer.u8(Tag.deliver.rawValue)
      writer.u32(client.number)
      writer.u32(UInt32(truncatingIfNeeded: sequences.count))
      for sequence in sequences { writer.u32(sequence.number) }
      writer.put(update)
    case .endUpdates(let client, let sequence, let reason):
      writer.u8(Tag.endUpdates.rawValue)
      writer.u32(client.number)
      writer.u32(sequence.number)
      writer.text(reason)
    case .report(let client, let request, let report):
      writer.u8(Tag.report.rawValue)
      writer.u32(client.number)
      writer.u32(request)
      writer.put(report)
    case .reportWrites(let client, let request, let report):
      writer.u8(Tag.reportWrites.rawValue)
      writer.u32(client.number)
      writer.u32(request)
      writer.put(report)
    case .watchAccelerometer(let mode):
      writer.u8(Tag.watchAccelerometer.rawValue)
      writer.u8(mode.rawValue)
    case .log(let level, let line):
      writer.u8(Tag.log.rawValue)
      writer.u8(level.rawValue)
      writer.text(line)
    case .defaults, .defaultsChanged, .defaultsSettled: encodeOfDefaults(into: &writer)
    case .openLine(let line): writer.put(Tag.openLine.rawValue, line)
    case .setLine(let line, let isActive):
      writer.put(Tag.setLine.rawValue, line)
      writer.u8(isActive ? 1 : 0)
    case .readLine(let line): writer.put(Tag.readLine.rawValue, line)
    }
  }

  /// Reads one effect off the front; nil when the bytes are none.
  init?(from reader: inout ByteReader) {
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .openReceiver:
      guard let speed = reader.speed() else { return nil }
      self = .openReceiver(speed: speed)
    case .closeReceiver: self = .closeReceiver
    case .writeReceiver:
      guard let bytes = reader.counted() else { return nil }
      self = .writeReceiver(bytes)
    case .attendReceiver:
      guard let isWanted = reader.flag() else { return nil }
      self = .attendReceiver(isWanted)
    case .setReceiverSpeed:
      guard let speed = reader.speed() else { return nil }
      self = .setReceiverSpeed(speed)
    case .commit:
      guard let number = reader.u32(), let changes = reader.changes() else { return nil }
      self = .commit(number: number, changes)
    case .openState: self = .openState
    case .track:
      guard let order = TrackOrder(from: &reader) else { return nil }
      self = .track(order)
    case .answer:
      guard let client = reader.u32(), let request = reader.u32(), let hasFailure = reader.flag()
      else { return nil }
      var failure: String?
      if hasFailure {
        guard let text = reader.text() else { return nil }
        failure = text
      }
      self = .answer(ClientID(number: client), request: request, failure: failure)
    case .deliver:
      guard let client = reader.u32(), let sequences = reader.sequences(),
        let update = reader.update()
      else { return nil }
      self = .deliver(ClientID(number: client), sequences, update)
    case .endUpdates:
      guard let client = reader.u32(), let sequence = reader.u32(), let reason = reader.text()
      else { return nil }
      self = .endUpdates(
        ClientID(number: client), SequenceID(number: sequence), reason: reason)
    case .report:
      guard let client = reader.u32(), let request = reader.u32(), let report = reader.report()
      else { return nil }
      self = .report(ClientID(number: client), request: request, report)
    case .reportWrites:
      guard let client = reader.u32(), let request = reader.u32(), let report = reader.report()
      else { return nil }
      self = .reportWrites(ClientID(number: client), request: request, report)
    case .watchAccelerometer:
      guard let mode = reader.u8().flatMap(AccelerometerMachine.Mode.init(rawValue:)) else {
        return nil
      }
      self = .watchAccelerometer(mode)
    case .log:
      guard let level = reader.u8().flatMap(LogLevel.init(rawValue:)), let line = reader.text()
      else { return nil }
      self = .log(level, line)
    case .defaults, .defaultsChanged, .defaultsSettled:
      self.init(ofDefaults: tag.rawValue, from: &reader)
    case .openLine, .setLine, .readLine: self.init(ofLine: tag, from: &reader)
    }
  }

  private init?(ofLine tag: Tag, from reader: inout ByteReader) {
    guard let line = reader.line() else { return nil }
    switch tag {
    case .openLine: self = .openLine(line)
    case .setLine:
      guard let isActive = reader.flag() else { return nil }
      self = .setLine(line, isActive: isActive)
    case _: self = .readLine(line)
    }
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ update: Update) {
    u16(update.flags.rawValue)
    guard let fix = update.fix else { return u8(0) }
    u8(fix.isSimulatedBySoftware ? 2 : 1)
    put(fix.time)
    for number in [
      fix.latitude, fix.longitude, fix.altitude, fix.ellipsoidalAltitude, fix.horizontalAccuracy,
      fix.verticalAccuracy, fix.speed, fix.speedAccuracy, fix.course, fix.courseAccuracy,
    ] { f64(number) }
  }

  fileprivate mutating func put(_ report: Report) {
    u32(UInt32(truncatingIfNeeded: report.items.count))
    for item in report.items {
      text(item.name)
      switch item.value {
      case .text(let value):
        u8(0)
        text(value)
      case .integer(let value):
        u8(1)
        i64(value)
      case .number(let value):
        u8(2)
        f64(value)
      case .flag(let value):
        u8(value ? 4 : 3)
      }
    }
  }
}

extension ByteReader {
  fileprivate mutating func sequences() -> [SequenceID]? {
    guard let count = u32(), Int(count) <= remaining / 4 else { return nil }
    var list: [SequenceID] = []
    for _ in 0..<count {
      guard let number = u32() else { return nil }
      list.append(SequenceID(number: number))
    }
    return list
  }

  fileprivate mutating func update() -> Update? {
    guard let flags = u16().map(Update.Flags.init(rawValue:)), let kind = u8(), kind <= 2
    else { return nil }
    guard kind > 0 else { return Update(fix: nil, flags: flags) }
    guard let time = time(), let latitude = f64(), let longitude = f64(), let altitude = f64(),
      let ellipsoidal = f64(), let horizontal = f64(), let vertical = f64(), let speed = f64(),
      let speedAccuracy = f64(), let course = f64(), let courseAccuracy = f64()
    else { return nil }
    let fix = Fix(
      latitude: latitude, longitude: longitude, altitude: altitude,
      ellipsoidalAltitude: ellipsoidal, horizontalAccuracy: horizontal,
      verticalAccuracy: vertical, speed: speed, speedAccuracy: speedAccuracy, course: course,
      courseAccuracy: courseAccuracy, time: time, isSimulatedBySoftware: kind == 2)
    return Update(fix: fix, flags: flags)
  }

  fileprivate mutating func report() -> Report? {
    guard let count = u32() else { return nil }
    var report = Report()
    for _ in 0..<count {
      guard let name = text(), let kind = u8() else { return nil }
      switch kind {
      case 0:
        guard let value = text() else { return nil }
        report.add(name, .text(value))
      case 1:
        guard let value = i64() else { return nil }
        report.add(name, .integer(value))
      case 2:
        guard let value = f64() else { return nil }
        report.add(name, .number(value))
      case 3, 4: report.add(name, .flag(kind == 4))
      default: return nil
      }
    }
    return report
  }
}
