import BinnacleBasics

/// When the bytes of a stream arrived, as far back as the frame at hand reaches.
///
/// A frame that was hidden in the claimed length of another one is found late: what it lacks is to be waited for from
/// when its own bytes came, not from when it was found.
struct ArrivalLog: Equatable, Codable, Sendable {
  private var marks: [Mark] = []

  /// The bytes from this offset of the stream on, up to the next mark's.
  private struct Mark: Equatable, Codable, Sendable {
    let start: Int
    let at: Instant
  }

  /// Reads this close together count as one, so that a slow frame read byte by byte costs few marks.
  private static let spacing = Interval.milliseconds(20)
  /// 10 s of reads that follow each other closely; no frame is waited for longer.
  private static let countMax = 512

  /// - Parameters:
  ///   - start: where in the stream the bytes begin.
  ///   - now: when they were read.
  mutating func bytesArrived(from start: Int, at now: Instant) {
    if let last = marks.last, now - last.at < ArrivalLog.spacing { return }
    // The oldest bytes then count as a little younger than they are.
    if marks.count >= ArrivalLog.countMax { marks.removeFirst() }
    marks.append(Mark(start: start, at: now))
  }

  /// When the byte at an offset arrived; nil: it is not known.
  func arrival(of offset: Int) -> Instant? {
    (marks.last { $0.start <= offset } ?? marks.first)?.at
  }

  /// Forgets what came before the byte at an offset.
  mutating func forget(before offset: Int) {
    guard let kept = marks.lastIndex(where: { $0.start <= offset }), kept > 0 else { return }
    marks.removeFirst(kept)
  }

  mutating func forgetAll() {
    marks.removeAll(keepingCapacity: true)
  }
}
