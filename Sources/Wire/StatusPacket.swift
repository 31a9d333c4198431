public import BinnacleModel

/// The packet of a report, encoded once and sent as the answer to several requests.
public struct StatusPacket: Equatable, Sendable {
  private var bytes: [UInt8]

  /// The offset of the request's number in the packet.
  private static let requestOffset = 1

  public init(_ report: Report) {
    bytes = ServerMessage.status(request: 0, report).encoded()
  }

  /// The packet of the answer to a request.
  public mutating func answer(to request: UInt32) -> [UInt8] {
    for index in 0..<4 {
      bytes[StatusPacket.requestOffset + index] =
        UInt8(truncatingIfNeeded: request >> UInt32(index * 8))
    }
    return bytes
  }
}
