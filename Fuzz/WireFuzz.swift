import Wire

/// A message that is understood is the only one with these bytes: encoded again it gives them back.
func fuzzWire(_ bytes: [UInt8]) {
  if let message = try? ClientMessage(decoding: bytes) {
    precondition(message.encoded() == bytes, "a client's message came back as another one")
  }
  if let message = try? ServerMessage(decoding: bytes) {
    precondition(message.encoded() == bytes, "a daemon's message came back as another one")
  }
}
