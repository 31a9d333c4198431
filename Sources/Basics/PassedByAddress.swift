/// A field without a value that makes a large structure one that Swift passes by its address.
///
/// Without the field Swift copies the structure to the stack whenever a mutating method calls a getter of the same value.
/// The engine has 8 kB; seven such copies for each event were two thirds of the instructions of an epoch. A structure with
/// an existential is passed by its address. A structure in an optional or in an array must not have the field: a call through
/// the optional copies such a structure field by field, which costs more than the copy of its bytes.
public struct PassedByAddress: Equatable, Codable, Sendable {
  private var nothing: (any Sendable)? = nil

  public init() {}

  public init(from decoder: any Decoder) {}

  public func encode(to encoder: any Encoder) {}

  public static func == (left: PassedByAddress, right: PassedByAddress) -> Bool { true }
}
