/// A large value in memory of its own, so that the desk that holds it stays small; a value as before.
///
/// Where a desk is handed on or replaced, Swift 6.0.3 puts a copy of it on the stack for each of its parts; with an
/// engine inside these were megabytes, and ran off the stack of a thread. A program of ours does nothing of the kind.
@propertyWrapper
public struct Indirect<Value> {
  /// One element, always.
  private var storage: [Value]

  public init(wrappedValue: Value) { storage = [wrappedValue] }

  /// The value; a change of one that is shared copies it first.
  public var wrappedValue: Value {
    get { storage[0] }
    _modify { yield &storage[0] }
  }
}

extension Indirect: CustomDebugStringConvertible {
  /// The type alone: the parts of an engine are many pages of text in the message of a failed test.
  public var debugDescription: String { "\(Value.self)" }
}

extension Indirect: Sendable where Value: Sendable {}
