import BinnacleBasics

/// The first message of a client: the face and the version that it requests.
public struct VirtualHello: Equatable, Sendable {
  /// The number of a `VirtualFace`, or one that this code does not know.
  public var faceNumber: UInt8
  public var version: UInt16

  static let type: UInt8 = 1

  public init(_ face: VirtualFace, version: UInt16 = VirtualLimits.version) {
    faceNumber = face.rawValue
    self.version = version
  }

  /// Decodes a message; nil when it is malformed.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == VirtualHello.type, reader.take(4) == VirtualLimits.magic,
      let face = reader.u8(), let version = reader.u16(), reader.remaining == 0
    else { return nil }
    faceNumber = face
    self.version = version
  }

  /// The face that is wanted; nil when this code does not know it.
  public var face: VirtualFace? { VirtualFace(rawValue: faceNumber) }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.u8(VirtualHello.type)
    writer.put(VirtualLimits.magic)
    writer.u8(faceNumber)
    writer.u16(version)
    return writer.bytes
  }
}
