import BinnacleBasics
import BinnacleModel

extension ClientMessage {
  /// The first byte of a message from a client.
  enum MessageType: UInt8, CaseIterable {
    case hello = 1
    case openUpdates = 2
    case closeUpdates = 3
    case requestStatus = 4
    case requestTrace = 5
    case setServices = 6
    case openDefaults = 7
    case setDefaults = 8
    case requestState = 16
    case eraseState = 17
    case requestWrites = 18
    case acceptState = 19
  }

  /// The packet that carries this message.
  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .hello(let hello):
      writer.u8(MessageType.hello.rawValue)
      writer.put(WireLimits.magic)
      writer.u16(hello.versionMin)
      writer.u16(hello.versionMax)
      writer.text(hello.program, sizeMax: WireLimits.programNameSizeMax)
    case .openUpdates(let sequence, let configuration):
      writer.u8(MessageType.openUpdates.rawValue)
      writer.u32(sequence.number)
      writer.u8(configuration.rawValue)
    case .closeUpdates(let sequence):
      writer.u8(MessageType.closeUpdates.rawValue)
      writer.u32(sequence.number)
    case .requestStatus(let request):
      writer.u8(MessageType.requestStatus.rawValue)
      writer.u32(request)
    case .requestTrace(let request):
      writer.u8(MessageType.requestTrace.rawValue)
      writer.u32(request)
    case .setServices(let request, let isOn):
      writer.u8(MessageType.setServices.rawValue)
      writer.u32(request)
      writer.u8(isOn ? 1 : 0)
    case .openDefaults(let request):
      writer.u8(MessageType.openDefaults.rawValue)
      writer.u32(request)
    case .setDefaults(let request, let isLast, let entries):
      writer.u8(MessageType.setDefaults.rawValue)
      writer.u32(request)
      writer.u8(isLast ? 1 : 0)
      writer.put(entries)
    case .state(let request, let wish):
      ClientMessage.write(wish, request: request, into: &writer)
    }
    return writer.bytes
  }

  /// The message that a packet carries; throws what is wrong with it.
  public init(decoding packet: [UInt8]) throws(WireError) {
    var reader = try FieldReader(packet, sizeMax: WireLimits.requestSizeMax)
    guard let type = MessageType(rawValue: reader.type) else { throw .typeUnknown(reader.type) }
    switch type {
    case .hello:
      guard try reader.take(WireLimits.magic.count) == WireLimits.magic else {
        throw reader.invalid("magic")
      }
      let versionMin = try reader.u16()
      let versionMax = try reader.u16()
      guard versionMin <= versionMax else { throw reader.invalid("version") }
      self = .hello(
        Hello(
          versionMin: versionMin, versionMax: versionMax,
          program: try reader.text("program", sizeMax: WireLimits.programNameSizeMax)))
    case .openUpdates:
      self = .openUpdates(
        SequenceID(number: try reader.u32()), try reader.choice("configuration"))
    case .closeUpdates:
      self = .closeUpdates(SequenceID(number: try reader.u32()))
    case .requestStatus:
      self = .requestStatus(request: try reader.u32())
    case .requestTrace:
      self = .requestTrace(request: try reader.u32())
    case .setServices:
      let request = try reader.u32()
      self = .setServices(request: request, isOn: try reader.flag("isOn"))
    case .openDefaults:
      self = .openDefaults(request: try reader.u32())
    case .setDefaults:
      let request = try reader.u32()
      let isLast = try reader.flag("isLast")
      self = .setDefaults(request: request, isLast: isLast, try reader.defaultsEntries())
    case .requestState: self = .state(request: try reader.u32(), .read)
    case .requestWrites: self = .state(request: try reader.u32(), .writes)
    case .acceptState: self = .state(request: try reader.u32(), .accept)
    case .eraseState:
      let request = try reader.u32()
      let number = try reader.u8()
      let app = try reader.text("app", sizeMax: WireLimits.sentenceSizeMax)
      guard let subject = EraseSubject(number: number, app: app) else {
        throw reader.invalid("subject")
      }
      self = .state(request: request, .erase(subject))
    }
    try reader.finish()
  }

  private static func write(
    _ wish: StateWish, request: UInt32, into writer: inout ByteWriter
  ) {
    switch wish {
    case .read:
      writer.u8(MessageType.requestState.rawValue)
      writer.u32(request)
    case .erase(let subject):
      writer.u8(MessageType.eraseState.rawValue)
      writer.u32(request)
      writer.u8(subject.number)
      writer.text(subject.app ?? "", sizeMax: WireLimits.sentenceSizeMax)
    case .writes:
      writer.u8(MessageType.requestWrites.rawValue)
      writer.u32(request)
    case .accept:
      writer.u8(MessageType.acceptState.rawValue)
      writer.u32(request)
    }
  }
}
