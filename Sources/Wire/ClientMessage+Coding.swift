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
    case requestSky = 9
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
    case .request(let number, let request):
      writer.u8(MessageType(request).rawValue)
      writer.u32(number)
      writer.put(request)
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
      self = .request(try reader.u32(), .status)
    case .requestTrace:
      self = .request(try reader.u32(), .trace)
    case .setServices:
      let request = try reader.u32()
      self = .request(request, .setServices(isOn: try reader.flag("isOn")))
    case .openDefaults:
      self = .request(try reader.u32(), .openDefaults)
    case .setDefaults:
      let request = try reader.u32()
      let isLast = try reader.flag("isLast")
      self = .request(request, .setDefaults(isLast: isLast, try reader.defaultsEntries()))
    case .requestSky: self = .request(try reader.u32(), .sky)
    case .requestState: self = .request(try reader.u32(), .state(.read))
    case .requestWrites: self = .request(try reader.u32(), .state(.writes))
    case .acceptState: self = .request(try reader.u32(), .state(.accept))
    case .eraseState:
      let request = try reader.u32()
      let number = try reader.u8()
      let app = try reader.text("app", sizeMax: WireLimits.sentenceSizeMax)
      guard let subject = EraseSubject(number: number, app: app) else {
        throw reader.invalid("subject")
      }
      self = .request(request, .state(.erase(subject)))
    }
    try reader.finish()
  }
}

extension ClientMessage.MessageType {
  fileprivate init(_ request: ClientRequest) {
    self =
      switch request {
      case .status: .requestStatus
      case .trace: .requestTrace
      case .setServices: .setServices
      case .openDefaults: .openDefaults
      case .setDefaults: .setDefaults
      case .sky: .requestSky
      case .state(.read): .requestState
      case .state(.erase): .eraseState
      case .state(.writes): .requestWrites
      case .state(.accept): .acceptState
      }
  }
}

extension ByteWriter {
  /// What stands behind the number of a request.
  fileprivate mutating func put(_ request: ClientRequest) {
    switch request {
    case .status, .trace, .openDefaults, .sky, .state(.read), .state(.writes), .state(.accept):
      return
    case .setServices(let isOn): u8(isOn ? 1 : 0)
    case .setDefaults(let isLast, let entries):
      u8(isLast ? 1 : 0)
      put(entries)
    case .state(.erase(let subject)):
      u8(subject.number)
      text(subject.app ?? "", sizeMax: WireLimits.sentenceSizeMax)
    }
  }
}
