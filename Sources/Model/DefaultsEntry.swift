/// A key of an app's defaults, and its value.
public struct DefaultsEntry: Equatable, Codable, Sendable {
  public var key: String
  /// nil: the key has no value any more.
  public var value: DefaultsValue?

  public init(_ key: String, _ value: DefaultsValue?) {
    self.key = key
    self.value = value
  }

  /// The size of the entry in bytes, which counts against the app's limit.
  public var size: Int { value.map { key.utf8.count + $0.encodedSize } ?? 0 }
}
