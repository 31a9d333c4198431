import BinnacleBasics
import BinnacleModel

extension ServerMessage {
  /// The first byte of a message from the daemon.
  enum MessageType: UInt8, CaseIterable {
    case welcome = 129
    case refused = 130
    case update = 131
    case updatesEnded = 132
    case status = 133
    case trace = 134
    case answered = 135
    case defaults = 136
    case defaultsChanged = 137
    case defaultsSettled = 138
    case sky = 139
    case rows = 140
    case sessionDiagnostic = 141
    case authorization = 142
    case button = 143
    case state = 144
    case writes = 145
    /// `authorization` with what the app's manifest says of the background.
    case manifestAuthorization = 146
    case phase = 147
    case unlocked = 148
    case locked = 149
    case ownApps = 150
    case updates = 151
  }

  /// The byte with the type of a report item's value.
  enum ValueType: UInt8 {
    case text = 0
    case integer = 1
    case number = 2
    case flag = 3
  }

  private var type: MessageType {
    switch self {
    case .welcome: .welcome
    case .refused: .refused
    case .update: .update
    case .updates: .updates
    case .updatesEnded: .updatesEnded
    case .status: .status
    case .trace: .trace
    case .answered: .answered
    case .defaults: .defaults
    case .defaultsChanged: .defaultsChanged
    case .defaultsSettled: .defaultsSettled
    case .sky: .sky
    case .rows: .rows
    case .sessionDiagnostic: .sessionDiagnostic
    case .authorization(let state):
      state.hasBackgroundMode == nil ? .authorization : .manifestAuthorization
    case .button: .button
    case .phase: .phase
    case .state: .state
    case .writes: .writes
    case .unlocked: .unlocked
    case .locked: .locked
    case .ownApps: .ownApps
    }
  }

  /// The packet of this message.
  ///
  /// A report that does not fit loses its last items. The item `report.items_left_off` then has the number of lost
  /// items.
  public func encoded() -> [UInt8] {
    if case .update(let sequence, let update) = self {
      return UpdatePacket(update, sequence: sequence).bytes
    }
    if case .updates(let sequences, let update) = self {
      return UpdatePacket(update).group(sequences)
    }
    var writer = ByteWriter()
    writer.u8(type.rawValue)
    writeFields(into: &writer)
    return writer.bytes
  }

  private func writeFields(into writer: inout ByteWriter) {
    switch self {
    case .welcome(let version, let daemon):
      writer.u16(version)
      writer.text(daemon, sizeMax: WireLimits.programNameSizeMax)
    case .refused(let refusal, let isFinal):
      writer.u8(isFinal ? 1 : 0)
      ServerMessage.write(refusal, into: &writer)
    // An update has an `UpdatePacket`, which is encoded once for many clients.
    case .update, .updates: return
    case .updatesEnded(let sequence, let refusal):
      writer.u32(sequence.number)
      ServerMessage.write(refusal, into: &writer)
    case .status(let request, let report), .writes(let request, let report):
      writer.u32(request)
      ServerMessage.write(report, into: &writer)
    case .trace(let request, let isLast, let piece), .state(let request, let isLast, let piece):
      precondition(piece.count <= WireLimits.tracePieceSizeMax, "a piece is too long")
      writer.u32(request)
      writer.u8(isLast ? 1 : 0)
      writer.counted(piece)
    case .sky(let request, let sky):
      writer.u32(request)
      SkyCoding.write(sky, into: &writer)
    case .rows(let request, let isLast, let rows):
      writer.u32(request)
      writer.u8(isLast ? 1 : 0)
      writer.u16(UInt16(rows.count))
      for row in rows { ServerMessage.write(row, into: &writer) }
    case .sessionDiagnostic(let id, let flags):
      writer.u32(id.number)
      writer.u16(flags.rawValue)
    case .authorization(let state):
      writer.u8(state.authorization.rawValue)
      writer.u8(state.isReduced ? 1 : 0)
      writer.u8(state.areServicesOn ? 1 : 0)
      if let hasBackgroundMode = state.hasBackgroundMode { writer.u8(hasBackgroundMode ? 1 : 0) }
    case .button(let press):
      writer.text(press.button, sizeMax: WireLimits.sentenceSizeMax)
      writer.u8(press.gesture.rawValue)
      writer.i64(press.time.secondsSince1970)
      writer.i32(press.time.nanoseconds)
    case .phase(let phase): writer.u8(phase.rawValue)
    case .answered(let request, let refusal), .defaultsSettled(let request, let refusal):
      writer.u32(request)
      writer.u8(refusal == nil ? 1 : 0)
      if let refusal { ServerMessage.write(refusal, into: &writer) }
    case .defaults(let request, let isLast, let entries):
      writer.u32(request)
      writer.u8(isLast ? 1 : 0)
      writer.put(entries)
    case .defaultsChanged(let entries): writer.put(entries)
    case .unlocked(let request, let token, let seconds):
      writer.u32(request)
      writer.put(token)
      writer.u16(seconds)
    case .locked: return
    case .ownApps(let request): writer.u32(request)
    }
  }

  /// The message in a packet; throws the error of an invalid packet.
  public init(decoding packet: [UInt8]) throws(WireError) {
    var reader = try FieldReader(packet, sizeMax: WireLimits.packetSizeMax)
    guard let type = MessageType(rawValue: reader.type) else { throw .typeUnknown(reader.type) }
    switch type {
    case .welcome:
      self = .welcome(
        version: try reader.u16(),
        daemon: try reader.text("daemon", sizeMax: WireLimits.programNameSizeMax))
    case .refused:
      let isFinal = try reader.flag("isFinal")
      self = .refused(try ServerMessage.readRefusal(from: &reader), isFinal: isFinal)
    case .update: self = try UpdatePacket.read(from: &reader)
    case .updates: self = try UpdatePacket.readGroup(from: &reader)
    case .updatesEnded:
      let sequence = SequenceID(number: try reader.u32())
      self = .updatesEnded(sequence, try ServerMessage.readRefusal(from: &reader))
    case .status:
      let request = try reader.u32()
      self = .status(request: request, try ServerMessage.readReport(from: &reader))
    case .trace:
      let (request, isLast, piece) = try ServerMessage.readPiece(from: &reader)
      self = .trace(request: request, isLast: isLast, piece)
    case .state:
      let (request, isLast, piece) = try ServerMessage.readPiece(from: &reader)
      self = .state(request: request, isLast: isLast, piece)
    case .writes:
      let request = try reader.u32()
      self = .writes(request: request, try ServerMessage.readReport(from: &reader))
    case .sky:
      let request = try reader.u32()
      self = .sky(request: request, try SkyCoding.read(from: &reader))
    case .rows:
      let request = try reader.u32()
      let isLast = try reader.flag("isLast")
      self = .rows(request: request, isLast: isLast, try ServerMessage.readRows(from: &reader))
    case .sessionDiagnostic:
      let id = SessionID(number: try reader.u32())
      let flags = SessionFlags(rawValue: try reader.u16())
      guard flags.isSubset(of: .all) else { throw reader.invalid("flags") }
      self = .sessionDiagnostic(id, flags)
    case .authorization:
      self = .authorization(try ServerMessage.readAuthorization(from: &reader))
    case .manifestAuthorization:
      var state = try ServerMessage.readAuthorization(from: &reader)
      state.hasBackgroundMode = try reader.flag("hasBackgroundMode")
      self = .authorization(state)
    case .button: self = .button(try ServerMessage.readPress(from: &reader))
    case .phase: self = .phase(try reader.choice("phase"))
    case .answered:
      let (request, refusal) = try ServerMessage.readOutcome("isDone", from: &reader)
      self = .answered(request: request, refusal)
    case .defaults:
      let request = try reader.u32()
      let isLast = try reader.flag("isLast")
      self = .defaults(request: request, isLast: isLast, try reader.defaultsEntries())
    case .defaultsChanged: self = .defaultsChanged(try reader.defaultsEntries())
    case .defaultsSettled:
      let (request, refusal) = try ServerMessage.readOutcome("isKept", from: &reader)
      self = .defaultsSettled(request: request, refusal)
    case .unlocked:
      let request = try reader.u32()
      let token = try ServerMessage.readToken(from: &reader)
      self = .unlocked(request: request, token: token, seconds: try reader.u16())
    case .locked: self = .locked
    case .ownApps: self = .ownApps(request: try reader.u32())
    }
    try reader.finish()
  }

  private static func readPress(from reader: inout FieldReader) throws(WireError) -> ButtonPress {
    ButtonPress(
      button: try reader.text("button", sizeMax: WireLimits.sentenceSizeMax),
      gesture: try reader.choice("gesture"), time: try UpdatePacket.readTime(from: &reader))
  }

  private static func readRows(
    from reader: inout FieldReader
  ) throws(WireError) -> [Report] {
    var rows: [Report] = []
    for _ in 0..<(try reader.u16()) { rows.append(try readReport(from: &reader)) }
    return rows
  }

  private static func readToken(from reader: inout FieldReader) throws(WireError) -> Secret {
    let token = try reader.secret("token", sizeMax: WireLimits.tokenSize)
    guard token.bytes.count == WireLimits.tokenSize else { throw reader.invalid("token") }
    return token
  }

  private static func readPiece(
    from reader: inout FieldReader
  ) throws(WireError) -> (request: UInt32, isLast: Bool, piece: [UInt8]) {
    let request = try reader.u32()
    let isLast = try reader.flag("isLast")
    let count = try reader.u32()
    guard count <= UInt32(WireLimits.tracePieceSizeMax) else { throw reader.invalid("piece") }
    return (request, isLast, try reader.take(Int(count)))
  }

  private static func readAuthorization(
    from reader: inout FieldReader
  ) throws(WireError) -> AuthorizationState {
    AuthorizationState(
      try reader.choice("authorization"), isReduced: try reader.flag("isReduced"),
      areServicesOn: try reader.flag("areServicesOn"))
  }

  // MARK: Refusals

  /// The outcome of a request; nil if the request succeeded.
  private static func readOutcome(
    _ field: String, from reader: inout FieldReader
  ) throws(WireError) -> (request: UInt32, refusal: Refusal?) {
    let request = try reader.u32()
    let isDone = try reader.flag(field)
    return (request, isDone ? nil : try readRefusal(from: &reader))
  }

  static func write(_ refusal: Refusal, into writer: inout ByteWriter) {
    writer.u8(refusal.kind.rawValue)
    writer.text(refusal.text, sizeMax: WireLimits.sentenceSizeMax)
  }

  static func readRefusal(
    from reader: inout FieldReader
  ) throws(WireError) -> Refusal {
    Refusal(
      try reader.choice("reason"),
      try reader.text("text", sizeMax: WireLimits.sentenceSizeMax))
  }

  // MARK: Reports

  private static let leftOffName = ReportKey.reportItemsLeftOff.name

  private static func write(_ report: Report, into writer: inout ByteWriter) {
    // The header has the type, the request and the count.
    let room = WireLimits.packetSizeMax - 7
    let leftOffSize = 2 + leftOffName.utf8.count + 1 + 8
    var items = ByteWriter()
    // The number and the size of the items that leave room for the item with the number of lost items.
    var kept = (count: 0, size: 0)
    for (index, item) in report.items.enumerated() where items.bytes.count <= room {
      write(item, into: &items)
      if items.bytes.count <= room - leftOffSize { kept = (index + 1, items.bytes.count) }
    }
    if items.bytes.count <= room {
      writer.u16(UInt16(report.items.count))
      writer.put(items.bytes)
    } else {
      writer.u16(UInt16(kept.count + 1))
      writer.put(items.bytes[..<kept.size])
      let leftOff = Int64(report.items.count - kept.count)
      write(Report.Item(name: leftOffName, value: .integer(leftOff)), into: &writer)
    }
  }

  private static func write(_ item: Report.Item, into writer: inout ByteWriter) {
    writer.text(item.name, sizeMax: WireLimits.sentenceSizeMax)
    switch item.value {
    case .text(let text):
      writer.u8(ValueType.text.rawValue)
      writer.text(text, sizeMax: WireLimits.sentenceSizeMax)
    case .integer(let integer):
      writer.u8(ValueType.integer.rawValue)
      writer.i64(integer)
    case .number(let number):
      writer.u8(ValueType.number.rawValue)
      writer.f64(number.isFinite ? number : -1)
    case .flag(let flag):
      writer.u8(ValueType.flag.rawValue)
      writer.u8(flag ? 1 : 0)
    }
  }

  private static func readReport(from reader: inout FieldReader) throws(WireError) -> Report {
    var report = Report()
    for _ in 0..<(try reader.u16()) {
      let name = try reader.text("name", sizeMax: WireLimits.sentenceSizeMax)
      let type: ValueType = try reader.choice("value type")
      switch type {
      case .text:
        report.add(name, .text(try reader.text("value", sizeMax: WireLimits.sentenceSizeMax)))
      case .integer: report.add(name, .integer(try reader.i64()))
      case .number: report.add(name, .number(try reader.number("value")))
      case .flag: report.add(name, .flag(try reader.flag("value")))
      }
    }
    return report
  }
}
