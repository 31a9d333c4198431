public import BinnacleModel

/// The messages that wait to be sent to one client, in order and limited in number.
///
/// A client that reads too slowly first loses its oldest plain fixes, which are counted. Transitions stay; if
/// transitions alone exceed the limit, each sequence keeps only the last transition of each kind. If the limit is still
/// exceeded, the outbox reports an overflow, and the daemon disconnects the client.
public struct Outbox: Equatable, Sendable {
  /// The priority of a message in a full outbox.
  public enum Kind: Equatable, Sendable {
    /// A fix without flags for so many sequences: the next fix replaces it.
    case fixes(Int)
    /// A change that is sent once; the last transition of a kind replaces earlier ones of the same kind.
    case transition(SequenceID, flags: UInt16, hasFix: Bool)
    /// The answer to a request, or the end of a sequence: never dropped.
    case answer

    /// A fix without flags for one sequence.
    public static let fix = Kind.fixes(1)
  }

  public enum Verdict: Equatable, Sendable {
    case accepted
    /// The outbox is full and no message may be dropped.
    case overflowed
  }

  /// The largest number of waiting messages.
  public static let countMax = 1_024
  /// The largest number of waiting answers.
  ///
  /// Answers may be long, and a client that does not read its answers needs no further ones.
  public static let answerCountMax = 64
  /// The largest size of waiting answers after the first, so that clients that do not read cannot fill the memory.
  public static let answerBytesMax = 262_144

  /// The number of plain fixes dropped because the client was slow.
  public private(set) var droppedFixCount = 0
  /// The number of transitions that were replaced by a later transition of their kind.
  public private(set) var coalescedTransitionCount = 0

  private var entries: [Entry] = []
  private var head = 0
  private var fixCount = 0
  private var answerCount = 0
  private var answerBytes = 0
  /// The capacity that is kept while the outbox is empty.
  private static let idleCapacityMax = 16

  private struct Entry: Equatable, Sendable {
    var kind: Kind
    var packet: [UInt8]
  }

  public init() {}

  public var count: Int { entries.count - head }
  public var isEmpty: Bool { count == 0 }

  /// The next packet to send; nil if the outbox is empty.
  public var first: [UInt8]? { isEmpty ? nil : entries[head].packet }

  /// Appends a packet; its kind decides what happens if the outbox is full.
  public mutating func append(_ packet: [UInt8], as kind: Kind) -> Verdict {
    if kind == .answer,
      answerCount >= Outbox.answerCountMax || answerBytes >= Outbox.answerBytesMax
    {
      return .overflowed
    }
    if count >= Outbox.countMax {
      if fixCount > 0 {
        dropOldestFix()
      } else if case .fixes(let count) = kind {
        droppedFixCount += count
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

  /// Removes the first packet, which was sent.
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
    case .fixes: fixCount += step
    case .answer:
      answerCount += step
      answerBytes += step * entry.packet.count
    case .transition: break
    }
  }

  private mutating func dropOldestFix() {
    compact()
    for (index, entry) in entries.enumerated() {
      guard case .fixes(let count) = entry.kind else { continue }
      entries.remove(at: index)
      fixCount -= 1
      droppedFixCount += count
      return
    }
  }

  /// Keeps the last transition of each kind, including the packet that will be appended.
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
