import BinnacleBasics

/// The launcher's answer to a question of the daemon.
///
/// One packet: `u8` version, 1; `u8` kind; `u32` number of the question. Kind 1, a program: `u64` device, `u64` number of
/// its file, `text` path. Kind 2, no program: `text` reason.
public struct LaunchAnswer: Equatable, Sendable {
  /// The number of the question.
  public let number: UInt32
  public let finding: Finding

  /// The program of a process.
  public enum Finding: Equatable, Sendable {
    /// The path as the process's own mounts show it, and the file itself.
    case program(path: String, device: UInt64, file: UInt64)
    /// The reason why the program is unknown.
    case unknown(reason: String)
  }

  /// A longer packet is not an answer; Linux paths have at most 4,096 bytes.
  public static let sizeMax = 4_160

  public init(number: UInt32, _ finding: Finding) {
    self.number = number
    self.finding = finding
  }

  /// - Returns: nil if the packet is not an answer of this version.
  public init?(decoding packet: [UInt8]) {
    var reader = ByteReader(packet)
    guard reader.u8() == LaunchQuestion.version, let kind = reader.u8(), let number = reader.u32()
    else { return nil }
    switch kind {
    case 1:
      guard let device = reader.u64(), let file = reader.u64(), let path = reader.text(),
        path.hasPrefix("/")
      else { return nil }
      finding = .program(path: path, device: device, file: file)
    case 2:
      guard let reason = reader.text() else { return nil }
      finding = .unknown(reason: reason)
    case _: return nil
    }
    guard reader.remaining == 0 else { return nil }
    self.number = number
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.u8(LaunchQuestion.version)
    switch finding {
    case .program(let path, let device, let file):
      writer.u8(1)
      writer.u32(number)
      writer.u64(device)
      writer.u64(file)
      writer.text(path)
    case .unknown(let reason):
      writer.u8(2)
      writer.u32(number)
      writer.text(reason)
    }
    return writer.bytes
  }
}
