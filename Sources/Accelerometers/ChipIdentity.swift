/// By what a chip is recognized: a register that always reads the same.
struct ChipIdentity: Equatable, Sendable {
  /// Where chips of this kind can be on the bus.
  let addresses: [UInt8]
  let register: UInt8
  let models: [Model]
  /// A register that must not read what the identity does: a chip with fewer registers repeats them.
  var unlike: UInt8?

  struct Model: Equatable, Sendable {
    /// What the identity register reads.
    let value: UInt8
    let name: String
  }
}
