import BinnacleBasics

/// The value of a record of the receiver's speed: `u32`, in baud.
public struct ReceiverSpeedRecord: Equatable, Sendable {
  public static let speeds = 300...4_000_000

  public let speed: Int

  public init(speed: Int) {
    self.speed = min(max(speed, ReceiverSpeedRecord.speeds.lowerBound), 4_000_000)
  }

  /// - Returns: nil if the bytes are no speed of a receiver.
  public init?(_ value: [UInt8]) {
    var reader = ByteReader(value)
    guard let speed = reader.u32(), reader.remaining == 0,
      ReceiverSpeedRecord.speeds.contains(Int(speed))
    else { return nil }
    self.speed = Int(speed)
  }

  public var value: [UInt8] {
    var writer = ByteWriter()
    writer.u32(UInt32(speed))
    return writer.bytes
  }
}
