/// The file of a program: two paths with the same device and number lead to the same file.
public struct ProgramFile: Equatable, Codable, Sendable {
  /// The device of the file system.
  public var device: UInt64
  /// The number of the file in the file system.
  public var number: UInt64

  public init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}
