public import BinnacleModel

/// The packet of one report, encoded once and sent as the answer to several requests.
public struct StatusPacket: Equatable, Sendable {
  private var bytes: [UInt8]

  /// Where the number of the request stands in the packet.
  private static let requestOffset = 1

  public init(_ report: Report) {
    bytes = ServerMessage.status(request: 0, report).encoded()
  }

  /// The packet that answers a request.
  public mutating func answer(to request: UInt32) -> [UInt8] {
    for index in 0..<4 {
      bytes[StatusPacket.requestOffset + index] =
        UInt8(truncatingIfNeeded: request >> UInt32(index * 8))
    }
    return bytes
  }
}
