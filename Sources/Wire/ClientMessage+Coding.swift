import BinnacleBasics
import BinnacleModel

extension ClientMessage {
  /// The first byte of a client's message that is not a request; ``RequestType`` has the first bytes of requests.
  enum MessageType: UInt8, CaseIterable {
    case hello = 1
    case openUpdates = 2
    case closeUpdates = 3
    case openSession = 48
    case closeSession = 49
    case watchAuthorization = 50
    case watchButtons = 51
    case openReducedUpdates = 52
    /// A greeting with a role other than ``ClientRole/app``.
    case helloInRole = 53
    case watchPhase = 54
    case openSearch = 62
  }

  /// The packet of this message.
  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .hello(let hello): writer.put(hello)
    case .openUpdates(let sequence, let configuration):
      writer.u8(MessageType.openUpdates.rawValue)
      writer.u32(sequence.number)
      writer.u8(configuration.rawValue)
    case .openReducedUpdates(let sequence, let configuration):
      writer.u8(MessageType.openReducedUpdates.rawValue)
      writer.u32(sequence.number)
      writer.u8(configuration.rawValue)
    case .openSearch(let sequence, let isReduced):
      writer.u8(MessageType.openSearch.rawValue)
      writer.u32(sequence.number)
      writer.u8(isReduced ? 1 : 0)
    case .closeUpdates(let sequence):
      writer.u8(MessageType.closeUpdates.rawValue)
      writer.u32(sequence.number)
    case .openSession(let id, let session):
      writer.u8(MessageType.openSession.rawValue)
      writer.u32(id.number)
      writer.put(session)
    case .closeSession(let id):
      writer.u8(MessageType.closeSession.rawValue)
      writer.u32(id.number)
    case .watchAuthorization: writer.u8(MessageType.watchAuthorization.rawValue)
    case .watchButtons: writer.u8(MessageType.watchButtons.rawValue)
    case .watchPhase: writer.u8(MessageType.watchPhase.rawValue)
    case .request(let number, let request):
      writer.u8(request.traits.type.rawValue)
      writer.u32(number)
      writer.put(request)
    }
    return writer.bytes
  }

  /// The message in a packet; throws the error of an invalid packet.
  public init(decoding packet: [UInt8]) throws(WireError) {
    var reader = try FieldReader(packet, sizeMax: WireLimits.requestSizeMax)
    if let type = RequestType(rawValue: reader.type) {
      let number = try reader.u32()
      self = .request(number, try ClientRequest(type, from: &reader))
      try reader.finish()
      return
    }
    guard let type = MessageType(rawValue: reader.type) else { throw .typeUnknown(reader.type) }
    switch type {
    case .hello: self = .hello(try reader.hello())
    case .helloInRole:
      var hello = try reader.hello()
      hello.role = try reader.role()
      self = .hello(hello)
    case .openUpdates:
      self = .openUpdates(
        SequenceID(number: try reader.u32()), try reader.choice("configuration"))
    case .openReducedUpdates:
      self = .openReducedUpdates(
        SequenceID(number: try reader.u32()), try reader.choice("configuration"))
    case .openSearch:
      self = .openSearch(
        SequenceID(number: try reader.u32()), isReduced: try reader.flag("isReduced"))
    case .closeUpdates:
      self = .closeUpdates(SequenceID(number: try reader.u32()))
    case .openSession:
      let id = SessionID(number: try reader.u32())
      self = .openSession(id, try reader.session())
    case .closeSession: self = .closeSession(SessionID(number: try reader.u32()))
    case .watchAuthorization: self = .watchAuthorization
    case .watchButtons: self = .watchButtons
    case .watchPhase: self = .watchPhase
    }
    try reader.finish()
  }
}

/// The first byte of a role.
private enum RoleType: UInt8 {
  case `operator` = 1
  case script = 2
  case console = 3
}

extension ByteWriter {
  /// A greeting; a client without a role greets like a client of an older version.
  fileprivate mutating func put(_ hello: ClientMessage.Hello) {
    let type = hello.role == .app ? ClientMessage.MessageType.hello : .helloInRole
    u8(type.rawValue)
    put(WireLimits.magic)
    u16(hello.versionMin)
    u16(hello.versionMax)
    text(hello.program, sizeMax: WireLimits.programNameSizeMax)
    switch hello.role {
    case .app: break
    case .operator: u8(RoleType.operator.rawValue)
    case .script(let identifier):
      u8(RoleType.script.rawValue)
      text(identifier, sizeMax: WireLimits.identifierSizeMax)
    case .console(let token):
      u8(RoleType.console.rawValue)
      put(token ?? Secret())
    }
  }
}

extension FieldReader {
  fileprivate mutating func hello() throws(WireError) -> ClientMessage.Hello {
    guard try take(WireLimits.magic.count) == WireLimits.magic else { throw invalid("magic") }
    let versionMin = try u16()
    let versionMax = try u16()
    guard versionMin <= versionMax else { throw invalid("version") }
    return ClientMessage.Hello(
      versionMin: versionMin, versionMax: versionMax,
      program: try text("program", sizeMax: WireLimits.programNameSizeMax))
  }

  fileprivate mutating func role() throws(WireError) -> ClientRole {
    let type: RoleType = try choice("role")
    switch type {
    case .operator: return .operator
    case .script: return .script(try text("identifier", sizeMax: WireLimits.identifierSizeMax))
    case .console:
      let token = try secret("token", sizeMax: WireLimits.tokenSize)
      guard token.isEmpty || token.bytes.count == WireLimits.tokenSize else {
        throw invalid("token")
      }
      return .console(token: token.isEmpty ? nil : token)
    }
  }
}
