/// The bytes of the receiver's line in the recent past, as sent and as heard.
///
/// Damage can turn a frame into another frame that no reader can distinguish from a true frame. UBX's Fletcher sum does
/// not detect flips of the highest bits of two bytes at an even distance. The exclusive or of NMEA does not detect a
/// bit that is flipped in two places. The driver of a receiver is responsible for the frames that the driver hears, not
/// for the frames that were sent.
struct LineMemory: Sendable {
  /// Half a minute at 9600 baud with UBX alone, or some seconds of a busy fast line.
  private static let bytesMax = 16_384
  private var sent: [UInt8] = []
  private var heard: [UInt8] = []

  mutating func heard(_ heard: [UInt8], insteadOf sent: [UInt8]) {
    self.sent += sent
    self.heard += heard
    if self.sent.count > 2 * Self.bytesMax { self.sent.removeFirst(Self.bytesMax) }
    if self.heard.count > 2 * Self.bytesMax { self.heard.removeFirst(Self.bytesMax) }
  }

  /// Whether the line delivered a complete frame that the receiver did not send.
  var hasForgedFrame: Bool {
    let original = Set(RecordedFrame.frames(in: sent).map(\.identity))
    return RecordedFrame.frames(in: heard).contains { !original.contains($0.identity) }
  }
}

extension RecordedFrame {
  /// The content of a frame without its offset.
  fileprivate var identity: [UInt8] { [kind == .ubx ? 0 : 1, messageClass, id] + payload }
}
