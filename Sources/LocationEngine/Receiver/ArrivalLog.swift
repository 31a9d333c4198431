import BinnacleBasics

/// When the bytes of a stream arrived, as far back as the start of the unfinished frame.
///
/// A frame that was hidden in the claimed length of another frame is found late. The wait for the frame's rest counts
/// from the arrival of the frame's first bytes, not from the time when the frame was found.
struct ArrivalLog: Equatable, Codable, Sendable {
  private var marks: [Mark] = []

  /// The bytes from this offset of the stream on, up to the next mark's.
  private struct Mark: Equatable, Codable, Sendable {
    let start: Int
    let at: Instant
  }

  /// Reads this close together count as one, so a slow frame that is read byte by byte costs few marks.
  private static let spacing = Interval.milliseconds(20)
  /// 10 s of reads in close sequence; the wait for a frame is never longer.
  private static let countMax = 512

  /// - Parameters:
  ///   - start: the offset of the bytes in the stream.
  ///   - now: when the bytes were read.
  mutating func bytesArrived(from start: Int, at now: Instant) {
    if let last = marks.last, now - last.at < ArrivalLog.spacing { return }
    // The oldest bytes then count as a little younger than they are.
    if marks.count >= ArrivalLog.countMax { marks.removeFirst() }
    marks.append(Mark(start: start, at: now))
  }

  /// The arrival of the byte at an offset; nil when unknown.
  func arrival(of offset: Int) -> Instant? {
    (marks.last { $0.start <= offset } ?? marks.first)?.at
  }

  /// Forgets the bytes before an offset.
  mutating func forget(before offset: Int) {
    guard let kept = marks.lastIndex(where: { $0.start <= offset }), kept > 0 else { return }
    marks.removeFirst(kept)
  }

  mutating func forgetAll() {
    marks.removeAll(keepingCapacity: true)
  }
}
