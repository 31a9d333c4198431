import BinnacleBasics

/// The satellites of the receiver's channels: UBX-NAV-SVINFO, 01 30, up to M8.
///
/// u-blox 8 / M8 receiver description (UBX-13003221), UBX-NAV-SVINFO.
public struct NavSVINFO: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x30

  /// One channel.
  public struct Channel: Equatable, Sendable {
    /// 255: the satellite has no channel.
    public var number: UInt8 = 0
    /// The satellite, in the numbers of `Satellite.named(channelID:)`.
    public var satelliteID: UInt8 = 0
    /// Bit 0 used, 1 differential, 2 orbit known, 3 orbit from the ephemeris, 4 unhealthy.
    public var flags: UInt8 = 0
    public var quality: UInt8 = 0
    /// Carrier to noise density.
    public var carrierToNoiseDBHz: UInt8 = 0
    /// -90 to 90; other values are unknown.
    public var elevationDegrees: Int8 = 0
    /// 0 to 360.
    public var azimuthDegrees: Int16 = 0
    public var pseudorangeResidualCentimeters: Int32 = 0

    public init() {}

    /// Whether the navigation solution uses the satellite.
    public var isUsed: Bool { flags & 1 != 0 }
    /// Whether elevation and azimuth come from a known orbit.
    public var isOrbitKnown: Bool { flags & 1 << 2 != 0 }
    public var isUnhealthy: Bool { flags & 1 << 4 != 0 }
  }

  public var iTOWMilliseconds: UInt32 = 0
  /// Bits 0 to 2: the generation of the chip.
  public var globalFlags: UInt8 = 0
  /// At most 255.
  public var channels: [Channel] = []

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 8, payload.count >= 8 + 12 * Int(payload.u8(4)) else { return nil }
    iTOWMilliseconds = payload.u32(0)
    globalFlags = payload.u8(5)
    channels.reserveCapacity(Int(payload.u8(4)))
    for index in 0..<Int(payload.u8(4)) {
      channels.append(Channel(payload, at: 8 + 12 * index))
    }
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    let listed = channels.prefix(255)
    writer.u32(iTOWMilliseconds)
    writer.put([UInt8(listed.count), globalFlags, 0, 0])
    for channel in listed {
      writer.put([channel.number, channel.satelliteID, channel.flags, channel.quality])
      writer.u8(channel.carrierToNoiseDBHz)
      writer.i8(channel.elevationDegrees)
      writer.i16(channel.azimuthDegrees)
      writer.i32(channel.pseudorangeResidualCentimeters)
    }
    return writer.bytes
  }
}

extension NavSVINFO.Channel {
  fileprivate init(_ payload: Payload, at start: Int) {
    number = payload.u8(start)
    satelliteID = payload.u8(start + 1)
    flags = payload.u8(start + 2)
    quality = payload.u8(start + 3)
    carrierToNoiseDBHz = payload.u8(start + 4)
    elevationDegrees = payload.i8(start + 5)
    azimuthDegrees = payload.i16(start + 6)
    pseudorangeResidualCentimeters = payload.i32(start + 8)
  }
}
