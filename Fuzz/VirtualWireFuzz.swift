import VirtualWire

/// A decoded message of a virtual board has exactly one encoding: its own bytes.
func fuzzVirtualWire(_ bytes: [UInt8]) {
  let again = [
    VirtualHello(decoding: bytes)?.encoded(), VirtualGreeting(decoding: bytes)?.encoded(),
    LineOrder(decoding: bytes)?.encoded(), LineAnswer(decoding: bytes)?.encoded(),
    ControlOrder(decoding: bytes)?.encoded(), ControlAnswer(decoding: bytes)?.encoded(),
  ]
  for case let encoded? in again {
    precondition(encoded == bytes, "a virtual board's message came back as another one")
  }
}
