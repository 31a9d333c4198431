/// What the receiver's line has carried of late, as it was sent and as it was heard.
///
/// Damage can make a frame of another one that no reader can tell from a true one: the Fletcher sum of UBX does not see
/// the highest bits of two bytes that lie an even number apart, the exclusive or of NMEA no bit that is turned in two
/// places. A receiver's driver answers for the frames that it hears, not for those that were sent.
struct LineMemory: Sendable {
  /// Half a minute at 9600 baud with UBX alone, some seconds of a busy fast line.
  private static let bytesMax = 16_384
  private var sent: [UInt8] = []
  private var heard: [UInt8] = []

  mutating func heard(_ heard: [UInt8], insteadOf sent: [UInt8]) {
    self.sent += sent
    self.heard += heard
    if self.sent.count > 2 * Self.bytesMax { self.sent.removeFirst(Self.bytesMax) }
    if self.heard.count > 2 * Self.bytesMax { self.heard.removeFirst(Self.bytesMax) }
  }

  /// Whether a whole frame was heard that was not sent.
  var hasForgedFrame: Bool {
    let original = Set(RecordedFrame.frames(in: sent).map(\.identity))
    return RecordedFrame.frames(in: heard).contains { !original.contains($0.identity) }
  }
}

extension RecordedFrame {
  /// All that it says, without where it stood.
  fileprivate var identity: [UInt8] { [kind == .ubx ? 0 : 1, messageClass, id] + payload }
}
