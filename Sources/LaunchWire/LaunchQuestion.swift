import BinnacleBasics

/// A question of the daemon to the launcher, together with one process descriptor.
///
/// One packet: `u8` version, 1; `u8` kind, 1: which program does this process run; `u32` number of the question.
public struct LaunchQuestion: Equatable, Sendable {
  /// The number, which the answer repeats.
  public let number: UInt32

  static let version: UInt8 = 1
  private static let kind: UInt8 = 1
  /// A longer packet is not a question.
  public static let sizeMax = 16

  public init(number: UInt32) {
    self.number = number
  }

  /// - Returns: nil if the packet is not a question of this version.
  public init?(decoding packet: [UInt8]) {
    var reader = ByteReader(packet)
    guard reader.u8() == LaunchQuestion.version, reader.u8() == LaunchQuestion.kind,
      let number = reader.u32(), reader.remaining == 0
    else { return nil }
    self.number = number
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.u8(LaunchQuestion.version)
    writer.u8(LaunchQuestion.kind)
    writer.u32(number)
    return writer.bytes
  }
}
