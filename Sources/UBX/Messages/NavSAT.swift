import BinnacleBasics

/// The satellites in view: UBX-NAV-SAT, 01 35, M8 and later.
///
/// M10 SPG 5.10 interface description, UBX-NAV-SAT.
public struct NavSAT: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x35

  /// One satellite.
  public struct Satellite: Equatable, Sendable {
    /// 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 5 QZSS, 6 GLONASS, 7 NavIC.
    public var gnssID: UInt8 = 0
    public var satelliteID: UInt8 = 0
    /// Carrier to noise density.
    public var carrierToNoiseDBHz: UInt8 = 0
    /// -90 to 90; other values are unknown.
    public var elevationDegrees: Int8 = 0
    /// 0 to 360.
    public var azimuthDegrees: Int16 = 0
    public var pseudorangeResidualDecimeters: Int16 = 0
    /// Bits 0 to 2 quality, 3 used, 4 and 5 health, 6 differential, 7 smoothed, 8 to 10 orbit source.
    public var flags: UInt32 = 0

    public init() {}

    /// Whether the navigation solution uses the satellite.
    public var isUsed: Bool { flags & 1 << 3 != 0 }
  }

  public var iTOWMilliseconds: UInt32 = 0
  public var version: UInt8 = 1
  /// At most 255.
  public var satellites: [Satellite] = []

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 8, payload.count >= 8 + 12 * Int(payload.u8(5)) else { return nil }
    iTOWMilliseconds = payload.u32(0)
    version = payload.u8(4)
    satellites.reserveCapacity(Int(payload.u8(5)))
    for index in 0..<Int(payload.u8(5)) {
      satellites.append(Satellite(payload, at: 8 + 12 * index))
    }
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    let listed = satellites.prefix(255)
    writer.u32(iTOWMilliseconds)
    writer.put([version, UInt8(listed.count), 0, 0])
    for satellite in listed {
      writer.put([satellite.gnssID, satellite.satelliteID, satellite.carrierToNoiseDBHz])
      writer.i8(satellite.elevationDegrees)
      writer.i16(satellite.azimuthDegrees)
      writer.i16(satellite.pseudorangeResidualDecimeters)
      writer.u32(satellite.flags)
    }
    return writer.bytes
  }
}

extension NavSAT.Satellite {
  fileprivate init(_ payload: Payload, at start: Int) {
    gnssID = payload.u8(start)
    satelliteID = payload.u8(start + 1)
    carrierToNoiseDBHz = payload.u8(start + 2)
    elevationDegrees = payload.i8(start + 3)
    azimuthDegrees = payload.i16(start + 4)
    pseudorangeResidualDecimeters = payload.i16(start + 6)
    flags = payload.u32(start + 8)
  }
}
