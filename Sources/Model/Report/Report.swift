/// An ordered list of named values: the content of `binnacle status`.
///
/// A name is a path with dots, most significant word first, its unit last (`receiver.speed_baud`). Names may be added,
/// but never removed.
public struct Report: Equatable, Codable, Sendable {
  public enum Value: Equatable, Codable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
  }

  public struct Item: Equatable, Codable, Sendable {
    public var name: String
    public var value: Value

    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  public var items: [Item]

  public init(items: [Item] = []) {
    self.items = items
  }

  public mutating func add(_ name: String, _ value: Value) {
    items.append(Item(name: name, value: value))
  }

  /// The value of this name.
  public subscript(name: String) -> Value? {
    items.first { $0.name == name }?.value
  }
}
