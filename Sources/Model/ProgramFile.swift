/// The file of a program as it was last changed.
///
/// Two paths with the same device and number lead to the same file. A file whose bytes are replaced, and a new file that gets the number
/// of a removed one, have another time of change.
public struct ProgramFile: Equatable, Codable, Sendable {
  /// The device of the file system.
  public var device: UInt64
  /// The number of the file in the file system.
  public var number: UInt64
  /// The time of the file's last change, in nanoseconds since 1970; no program can set it (inode(7), `ctime`).
  public var changeTimeNanoseconds: Int64

  public init(device: UInt64, number: UInt64, changeTimeNanoseconds: Int64) {
    self.device = device
    self.number = number
    self.changeTimeNanoseconds = changeTimeNanoseconds
  }
}
