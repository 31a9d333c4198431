/// One of the files that make a profile or a manifest.
public struct SettingsFile: Equatable, Sendable {
  /// The name of the file in complaints.
  public let path: String
  public let bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
