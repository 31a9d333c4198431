/// A field without a value that makes a large structure one that Swift passes by its address.
///
/// Swift copies a structure whose layout it knows whole, to the stack, before a mutating method calls a getter of the
/// same value. The engine has 8 kB, and seven such copies for each event were two thirds of all memory that an epoch
/// touched. An existential has no layout that the compiler may move in registers, so the address is passed.
struct PassedByAddress: Equatable, Codable, Sendable {
  private var nothing: (any Sendable)? = nil

  init() {}

  init(from decoder: any Decoder) {}

  func encode(to encoder: any Encoder) {}

  static func == (left: PassedByAddress, right: PassedByAddress) -> Bool { true }
}
