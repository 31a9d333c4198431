public import BinnacleModel

/// What waits to be sent to one client: in order, and never more than a fixed number of messages.
///
/// A client that reads too slowly loses its oldest plain fixes first, counted. Transitions stay; when they alone
/// would overflow, each sequence keeps the last of a kind. When even that does not help, the outbox says so and
/// its client is to be dropped.
public struct Outbox: Equatable, Sendable {
  /// What a message is worth when there is no room.
  public enum Kind: Equatable, Sendable {
    /// A fix with nothing else to say: the next one makes up for it.
    case fix
    /// A change that is told once; the last of a kind stands for those before it.
    case transition(SequenceID, flags: UInt16, hasFix: Bool)
    /// The answer to a request, or the end of a sequence: never dropped.
    case answer
  }

  public enum Verdict: Equatable, Sendable {
    case accepted
    /// There is no room and nothing that may be dropped.
    case overflowed
  }

  /// Messages that may wait.
  public static let countMax = 1_024
  /// Answers that may wait: they may be long, and a client that does not read them need not ask.
  public static let answerCountMax = 64
  /// Bytes of answers that may wait beside the first, so that clients which do not read cannot fill the memory.
  public static let answerBytesMax = 262_144

  /// Plain fixes that were dropped because the client was slow.
  public private(set) var droppedFixCount = 0
  /// Transitions that a later one of their kind stands for.
  public private(set) var coalescedTransitionCount = 0

  private var entries: [Entry] = []
  private var head = 0
  private var fixCount = 0
  private var answerCount = 0
  private var answerBytes = 0
  /// Room that is kept when nothing waits.
  private static let idleCapacityMax = 16

  private struct Entry: Equatable, Sendable {
    var kind: Kind
    var packet: [UInt8]
  }

  public init() {}

  public var count: Int { entries.count - head }
  public var isEmpty: Bool { count == 0 }

  /// The packet that is to be sent next.
  public var first: [UInt8]? { isEmpty ? nil : entries[head].packet }

  /// Puts a packet at the end; its kind says what may happen to it when there is no room.
  public mutating func append(_ packet: [UInt8], as kind: Kind) -> Verdict {
    if kind == .answer,
      answerCount >= Outbox.answerCountMax || answerBytes >= Outbox.answerBytesMax
    {
      return .overflowed
    }
    if count >= Outbox.countMax {
      if fixCount > 0 {
        dropOldestFix()
      } else if kind == .fix {
        droppedFixCount += 1
        return .accepted
      } else {
        coalesce(with: kind)
        guard count < Outbox.countMax else { return .overflowed }
      }
    }
    entries.append(Entry(kind: kind, packet: packet))
    count(entries[entries.count - 1], by: 1)
    return .accepted
  }

  /// Takes the first packet out: it was sent.
  public mutating func removeFirst() {
    precondition(!isEmpty, "nothing waits in the outbox")
    count(entries[head], by: -1)
    entries[head].packet = []
    head += 1
    if head == entries.count || head >= Outbox.countMax { compact() }
    if entries.isEmpty, entries.capacity > Outbox.idleCapacityMax { entries = [] }
  }

  private mutating func count(_ entry: Entry, by step: Int) {
    switch entry.kind {
    case .fix: fixCount += step
    case .answer:
      answerCount += step
      answerBytes += step * entry.packet.count
    case .transition: break
    }
  }

  private mutating func dropOldestFix() {
    compact()
    guard let index = entries.firstIndex(where: { $0.kind == .fix }) else { return }
    entries.remove(at: index)
    fixCount -= 1
    droppedFixCount += 1
  }

  /// Keeps the last transition of each kind, counting the one that is about to be appended.
  private mutating func coalesce(with newest: Kind) {
    compact()
    var seen: [Kind] = [newest]
    var kept: [Entry] = []
    for entry in entries.reversed() {
      if entry.kind == .answer {
        kept.append(entry)
      } else if seen.contains(entry.kind) {
        coalescedTransitionCount += 1
      } else {
        seen.append(entry.kind)
        kept.append(entry)
      }
    }
    entries = kept.reversed()
  }

  private mutating func compact() {
    entries.removeFirst(head)
    head = 0
  }
}
