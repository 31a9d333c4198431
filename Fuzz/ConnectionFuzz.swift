import BinnacleBasics
import BinnacleModel
import BinnacleWire

/// The daemon's side of a connection accepts any packets at any time: it ends once, and sends nothing after its end.
func fuzzServerConnection(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes)
  var now = Instant.zero
  var machine = ServerConnectionMachine(acceptedAt: now, daemon: "fuzz")
  var hasEnded = false
  var eventCount = 0
  while let kind = reader.u8() {
    let actions: [ServerConnectionMachine.Action]
    switch kind & 7 {
    case 0:
      now += .milliseconds(Int64(reader.u16() ?? 0))
      actions = machine.deadlineReached(at: now)
    case 1: actions = machine.oversizePacketArrived(at: now)
    case 2:
      let hello = ClientMessage.Hello(
        versionMin: 1, versionMax: UInt16(kind >> 3), program: "f",
        role: [.app, .operator, .script("org.example.a")][Int(kind) % 3])
      actions = machine.packetArrived(ClientMessage.hello(hello).encoded(), at: now)
    case _:
      let size = Int(reader.u8() ?? 0)
      actions = machine.packetArrived(reader.take(min(size, reader.remaining)) ?? [], at: now)
    }
    precondition(!hasEnded || actions.isEmpty, "a connection that has ended goes on")
    for action in actions {
      switch action {
      case .hangUp: hasEnded = true
      case .event(.connected):
        precondition(eventCount == 0, "a client is connected twice")
        eventCount += 1
      case .event: eventCount += 1
      case .reply(let message):
        let packet = message.encoded()
        precondition((try? ServerMessage(decoding: packet)) == message, "a reply cannot be read")
      }
    }
    precondition(machine.isOpen || hasEnded || eventCount == 0, "a client asks before its hello")
    precondition(!hasEnded || !machine.isOpen, "a connection that has ended is open")
  }
}

/// The client's side accepts any packets in any state, and a daemon can decode every packet of the client.
///
/// The client has a version only while its connection is ready.
func fuzzClientConnection(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes)
  var now = Instant.zero
  var machine = ClientMachine(program: "fuzz", seed: 1)
  var daemon = ServerConnectionMachine(acceptedAt: now, daemon: "fuzz")
  take(machine.started(at: now), by: &daemon, at: now)
  while let kind = reader.u8() {
    let argument = reader.u8() ?? 0
    let actions: [ClientMachine.Action]
    switch kind & 15 {
    case 0:
      now += .milliseconds(Int64(argument) * 50)
      actions = machine.deadlineReached(at: now)
    case 1:
      daemon = ServerConnectionMachine(acceptedAt: now, daemon: "fuzz")
      actions = machine.connected(at: now)
    case 2: actions = machine.connectFailed(at: now)
    case 3: actions = machine.disconnected(at: now)
    case 4:
      let kinds = LiveConfiguration.allCases
      actions = machine.openUpdates(kinds[Int(argument) % kinds.count], at: now).1
    case 5: actions = machine.closeUpdates(SequenceID(number: UInt32(argument)), at: now)
    case 6: actions = machine.request(.status, at: now)
    case 7: actions = machine.request(.trace, at: now)
    case 8: actions = machine.request(.setServices(isOn: argument & 1 == 0), at: now)
    case 9: actions = machine.request(.state(argument & 1 == 0 ? .read : .writes), at: now)
    case 10:
      let welcome = ServerMessage.welcome(version: UInt16(argument), daemon: "fuzz")
      actions = machine.packetArrived(welcome.encoded(), at: now)
    case _:
      let packet = reader.take(min(Int(argument), reader.remaining)) ?? []
      actions = machine.packetArrived(packet, at: now)
    }
    precondition(
      machine.isReady || machine.version == nil, "a version is spoken without a connection")
    take(actions, by: &daemon, at: now)
    // 256 messages in a second are too many for a daemon.
    now += .milliseconds(10)
  }
}

/// Checks that the daemon does not report a client's packets on a new connection as malformed.
private func take(
  _ actions: [ClientMachine.Action], by daemon: inout ServerConnectionMachine, at now: Instant
) {
  for case .send(let packet) in actions {
    for case .reply(.refused(let refusal, _)) in daemon.packetArrived(packet, at: now) {
      precondition(refusal.kind != .messageMalformed, "a client sent \(refusal.text)")
    }
  }
}
