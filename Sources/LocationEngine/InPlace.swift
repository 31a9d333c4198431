/// A large value in memory of its own, which is changed there.
///
/// Swift copies the whole value of an optional to the stack for each call through the optional. An optional of an `InPlace`
/// is one reference: a change copies nothing, a read of a property copies the property, and a call of a method that changes
/// nothing copies the value without the values that are in an `InPlace` inside. Copies of an `InPlace` share the memory until
/// one of them changes.
struct InPlace<Value> {
  /// One element; an array already has the rules of shared memory.
  private var storage: [Value]

  init(_ value: Value) { storage = [value] }

  var value: Value {
    @inline(__always) _read { yield storage[0] }
    @inline(__always) _modify { yield &storage[0] }
  }
}

extension InPlace: Equatable where Value: Equatable {}
extension InPlace: Sendable where Value: Sendable {}

extension InPlace: Codable where Value: Codable {
  init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
