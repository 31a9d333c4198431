import BinnacleBasics
public import BinnacleModel

/// The packet of an update, encoded once and addressed to each sequence in turn.
public struct UpdatePacket: Equatable, Sendable {
  /// The packet for the socket.
  public private(set) var bytes: [UInt8]
  /// The packet's kind for an outbox.
  public private(set) var kind: Outbox.Kind

  /// The offset of the sequence's number in the packet.
  static let sequenceOffset = 1
  /// The offset of the fields behind the sequence's number.
  private static let contentsOffset = 5
  /// As many bytes as a packet with a location has.
  private static let blank = [UInt8](repeating: 0, count: 100)
  static let hasFixBit: UInt8 = 1 << 0
  static let isSimulatedBit: UInt8 = 1 << 1

  public init(_ update: Update, sequence: SequenceID = SequenceID(number: 0)) {
    var writer = ByteWriter(over: UpdatePacket.blank)
    writer.u8(ServerMessage.MessageType.update.rawValue)
    writer.u32(sequence.number)
    writer.u16(update.flags.rawValue)
    if let fix = update.fix {
      writer.u8(
        UpdatePacket.hasFixBit | (fix.isSimulatedBySoftware ? UpdatePacket.isSimulatedBit : 0))
      UpdatePacket.write(fix, into: &writer)
    } else {
      writer.u8(0)
    }
    bytes = writer.bytes
    kind =
      update.isTransition
      ? .transition(sequence, flags: update.flags.rawValue, hasFix: update.fix != nil) : .fix
  }

  /// The packet for several sequences of a client, which costs the daemon and the client one message.
  public func group(_ sequences: [SequenceID]) -> [UInt8] {
    var writer = ByteWriter()
    writer.u8(ServerMessage.MessageType.updates.rawValue)
    writer.put(bytes[UpdatePacket.contentsOffset...])
    writer.u16(UInt16(sequences.count))
    for sequence in sequences { writer.u32(sequence.number) }
    return writer.bytes
  }

  /// Changes the sequence of the packet.
  public mutating func address(to sequence: SequenceID) {
    for index in 0..<4 {
      bytes[UpdatePacket.sequenceOffset + index] =
        UInt8(truncatingIfNeeded: sequence.number >> UInt32(index * 8))
    }
    if case .transition(_, let flags, let hasFix) = kind {
      kind = .transition(sequence, flags: flags, hasFix: hasFix)
    }
  }

  private static func write(_ fix: Fix, into writer: inout ByteWriter) {
    writer.f64(fix.latitude)
    writer.f64(fix.longitude)
    writer.f64(fix.altitude)
    writer.f64(fix.ellipsoidalAltitude)
    writer.f64(fix.horizontalAccuracy)
    writer.f64(fix.verticalAccuracy)
    writer.f64(fix.speed)
    writer.f64(fix.speedAccuracy)
    writer.f64(fix.course)
    writer.f64(fix.courseAccuracy)
    writer.i64(fix.time.secondsSince1970)
    writer.i32(fix.time.nanoseconds)
  }

  static func read(from reader: inout FieldReader) throws(WireError) -> ServerMessage {
    let sequence = SequenceID(number: try reader.u32())
    return .update(sequence, try readContents(from: &reader))
  }

  static func readGroup(from reader: inout FieldReader) throws(WireError) -> ServerMessage {
    let update = try readContents(from: &reader)
    var sequences: [SequenceID] = []
    for _ in 0..<(try reader.u16()) { sequences.append(SequenceID(number: try reader.u32())) }
    return .updates(sequences, update)
  }

  private static func readContents(from reader: inout FieldReader) throws(WireError) -> Update {
    let flags = Update.Flags(rawValue: try reader.u16())
    let contents = try reader.u8()
    switch contents {
    case 0:
      return Update(fix: nil, flags: flags)
    case hasFixBit, hasFixBit | isSimulatedBit:
      let fix = try readFix(from: &reader, isSimulated: contents & isSimulatedBit != 0)
      return Update(fix: fix, flags: flags)
    default:
      throw reader.invalid("contents")
    }
  }

  private static func readFix(
    from reader: inout FieldReader, isSimulated: Bool
  ) throws(WireError) -> Fix {
    Fix(
      latitude: try reader.number("latitude"),
      longitude: try reader.number("longitude"),
      altitude: try reader.number("altitude"),
      ellipsoidalAltitude: try reader.number("ellipsoidalAltitude"),
      horizontalAccuracy: try reader.number("horizontalAccuracy"),
      verticalAccuracy: try reader.number("verticalAccuracy"),
      speed: try reader.number("speed"),
      speedAccuracy: try reader.number("speedAccuracy"),
      course: try reader.number("course"),
      courseAccuracy: try reader.number("courseAccuracy"),
      time: try readTime(from: &reader),
      isSimulatedBySoftware: isSimulated)
  }

  /// The range of the years 1 to 9999 in seconds.
  private static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  static func readTime(from reader: inout FieldReader) throws(WireError) -> UTCTime {
    let seconds = try reader.i64()
    let nanoseconds = try reader.u32()
    guard secondsRange.contains(seconds), nanoseconds < 1_000_000_000 else {
      throw reader.invalid("time")
    }
    return UTCTime(secondsSince1970: seconds, nanoseconds: Int64(nanoseconds))
  }
}
