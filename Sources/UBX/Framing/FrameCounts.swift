/// The number of frames of each protocol in a stream.
public struct FrameCounts: Equatable, Codable, Sendable {
  public private(set) var ubx = 0
  public private(set) var nmea = 0
  public private(set) var rtcm = 0

  public init() {}

  /// All frames.
  public var total: Int { ubx &+ nmea &+ rtcm }

  /// Counts a frame.
  public mutating func count(_ kind: Frame.Kind) {
    switch kind {
    case .ubx: ubx &+= 1
    case .nmea: nmea &+= 1
    case .rtcm: rtcm &+= 1
    }
  }
}
