import BinnacleModel
import BinnacleWire

/// A decoded message has the same bytes when it is encoded again, and an app accepts a daemon's messages on defaults.
func fuzzWire(_ bytes: [UInt8]) {
  if let message = try? ClientMessage(decoding: bytes) {
    precondition(message.encoded() == bytes, "a client's message came back as another one")
  }
  if let message = try? ServerMessage(decoding: bytes) {
    precondition(message.encoded() == bytes, "a daemon's message came back as another one")
    tellApp(message)
  }
}

/// An app that has set a default gets the daemon's message, first as the answer to its request, then as a change.
private func tellApp(_ message: ServerMessage) {
  var machine = DefaultsMachine()
  _ = machine.set(DefaultsEntry("a", .flag(true)))
  _ = machine.ready(version: 2)
  switch message {
  case .defaults(_, let isLast, let entries):
    _ = machine.arrived(1, isLast: isLast, entries)
    _ = machine.arrived(1, isLast: true, entries)
    precondition(machine["a"] == .flag(true), "what an app has set is not seen")
    _ = machine.settled(2, nil)
    _ = machine.changed(entries)
  case .defaultsChanged(let entries):
    _ = machine.arrived(1, isLast: true, entries)
    _ = machine.changed(entries)
    precondition(machine["a"] == .flag(true), "what an app has set is not seen")
  case .defaultsSettled(let request, let refusal):
    _ = machine.settled(request, refusal)
    _ = machine.arrived(1, isLast: true, [])
    _ = machine.settled(request, refusal)
  case .welcome, .refused, .update, .updates, .updatesEnded, .status, .trace, .answered, .state,
    .writes, .sky, .rows, .ownApps, .sessionDiagnostic, .authorization, .button, .phase, .unlocked,
    .locked:
    break
  }
}
