/// A key of an app, and what is kept under it.
public struct DefaultsEntry: Equatable, Codable, Sendable {
  public var key: String
  /// nil: nothing, any more.
  public var value: DefaultsValue?

  public init(_ key: String, _ value: DefaultsValue?) {
    self.key = key
    self.value = value
  }

  /// What it takes of an app's room, in bytes.
  public var size: Int { value.map { key.utf8.count + $0.encodedSize } ?? 0 }
}
