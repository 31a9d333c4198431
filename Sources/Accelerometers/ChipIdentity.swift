/// The identity of a chip: a register that always reads the same value.
struct ChipIdentity: Equatable, Sendable {
  /// Where chips of this kind can be on the bus.
  let addresses: [UInt8]
  let register: UInt8
  let models: [Model]
  /// A register that must not read what the identity does: a chip with fewer registers repeats them.
  var unlike: UInt8?

  struct Model: Equatable, Sendable {
    /// The value of the identity register.
    let value: UInt8
    let name: String
  }
}
