import BinnacleBasics
import UBX

/// The poll of a receiver's identity, and the consequences of the answer.
extension ReceiverSession {
  /// Bytes that a sleeping receiver may lose while it wakes, and the poll of its version.
  static let question = wakeBytes + Poll(MonVER.self).frame

  /// Edges that wake a receiver, which loses them (Docs/SOURCES.md, U5).
  static let wakeBytes = [UInt8](repeating: 0xFF, count: 8)

  /// The poll of a key that every receiver with keys has; the answer has 18 bytes, a refusal 10 bytes.
  private static let briefQuestion =
    CfgVALGETPoll(layer: .ram, keys: [.rateMeasurement]).frame

  /// Whether a short answer replaces the name.
  ///
  /// A short answer is asked for on a damaged line, unless more than nine of ten messages are lost. On a worse line
  /// sentences arrive more often than the longer UBX-NAV-PVT would.
  private var asksBriefly: Bool {
    link.quality.effort != .plain
      && link.quality.damagedPercent ?? 0 <= ReceiverSession.presumptionDamageMax
  }

  private static let presumptionDamageMax = 90

  /// Polls the identity; on a line that damages messages, also polls a value with a short answer.
  func ask(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    memory.wakeLine?.wake(at: now, into: &effects)
    var bytes = ReceiverSession.question
    if isConnected {
      // An answer about a key could be confused with the answer to an order, so UBX-NAV-STATUS is polled.
      if link.quality.effort != .plain { bytes += Poll(NavSTATUS.self).frame }
    } else if asksBriefly {
      bytes += ReceiverSession.briefQuestion
    }
    effects.append(.receiver(.write(bytes)))
  }

  /// The identity of the sender of an answer to `ask`, as far as the answer shows it; nil for any other message.
  func identity(in message: Message) -> ReceiverIdentity? {
    if case .monVER(let version) = message { return ReceiverIdentity(version) }
    guard asksBriefly else { return nil }
    switch message {
    case .cfgVALGET(let answer) where answer.items.map(\.key) == [.rateMeasurement]:
      return ReceiverIdentity(presumedWithKeys: true)
    case .ackNAK(let answer)
    where answer.commandClass == CfgVALGET.messageClass
      && answer.commandID == CfgVALGET.messageID:
      return ReceiverIdentity(presumedWithKeys: false)
    case _: return nil
    }
  }

  mutating func connect(
    _ identity: ReceiverIdentity, memory: inout ReceiverMemory, at now: Instant,
    into effects: inout [Effect]
  ) {
    if memory.deafTimes == 0 {
      let speed = link.kind.isBus ? "" : ", at \(link.speed) baud"
      effects.append(.log(.info, "receiver: \(identity.summary)\(speed)"))
    }
    remember(link.speed, memory: &memory)
    var actions: [SetupMachine.Action] = []
    connection = InPlace(
      Connection(identity, demand: memory.demand, link: link, at: now, into: &actions))
    perform(actions, memory: &memory, at: now, into: &effects)
  }

  /// The receiver's name arrived after the connection was made.
  mutating func named(
    _ identity: ReceiverIdentity, memory: inout ReceiverMemory, at now: Instant,
    _ actions: inout [SetupMachine.Action], _ effects: inout [Effect]
  ) {
    guard identity.usesKeys == connection?.value.identity.usesKeys else {
      return connect(identity, memory: &memory, at: now, into: &effects)
    }
    effects.append(.log(.info, "receiver: \(identity.summary)"))
    connection?.value.named(identity, at: now, into: &actions)
  }

  func remember(_ speed: Int, memory: inout ReceiverMemory) {
    if !link.kind.isBus { memory.lastSpeed = .baud(speed) }
  }
}
