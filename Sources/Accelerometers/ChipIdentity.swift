/// The identity of a chip: a register that always has the same value.
struct ChipIdentity: Equatable, Sendable {
  /// The possible addresses of chips of this kind.
  let addresses: [UInt8]
  let register: UInt8
  let models: [Model]
  /// A register with a different value: a chip with fewer registers repeats the identity's value there.
  var unlike: UInt8?

  struct Model: Equatable, Sendable {
    /// The value of the identity register.
    let value: UInt8
    let name: String
  }
}
