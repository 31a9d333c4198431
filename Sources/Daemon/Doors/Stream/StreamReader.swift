import BinnacleBasics
import BinnacleModel

/// One program that reads a door: its transport, its feed and its waiting bytes.
final class StreamReader {
  let id: ClientID
  let peer: Peer
  let program: String
  let line: StreamLine
  private var feed: any DoorFeed
  /// Whether a position with full accuracy may be unread.
  private var hasExactPosition = false
  private(set) var epochCount = 0
  /// The number of epochs that were dropped because the reader was too slow.
  private(set) var droppedEpochCount = 0
  /// The bytes of an epoch that the transport has not accepted yet.
  private var rest: ArraySlice<UInt8> = []
  /// Since when the transport has accepted none of the waiting bytes; nil: no bytes wait.
  private var blockedSince: Instant?
  private(set) var isGone = false
  /// Whether the reader is gone because it has read nothing for `ClientTable.blockedTimeMax`.
  private(set) var isStuck = false

  init(id: ClientID, peer: Peer, program: String, line: StreamLine, feed: any DoorFeed) {
    self.id = id
    self.peer = peer
    self.program = program
    self.line = line
    self.feed = feed
  }

  var wantsToWrite: Bool { !rest.isEmpty }

  /// Whether input may come.
  ///
  /// An input that has ended stays readable, so polling it would keep the daemon busy.
  private(set) var hasInput = true

  /// When the next epoch without an update is due, or when a reader that reads nothing is gone; nil without both.
  var nextDeadline: Instant? { earlier(feed.nextDeadline, stuckAt) }

  private var stuckAt: Instant? { blockedSince.map { $0 + ClientTable.blockedTimeMax } }

  func deadlineReached(at now: Instant) {
    if let epoch = feed.dueEpoch(at: now) { send(epoch, at: now) }
    if let stuckAt, stuckAt <= now {
      isStuck = true
      isGone = true
    }
  }

  /// Takes the satellites in view.
  func seen(_ sky: Sky, at now: Instant) { feed.seen(sky, at: now) }

  /// Takes an update of the reader's sequence, and sends its epoch.
  func updated(_ update: Update, at now: Instant) {
    if isRightLost(in: update) { rightWasLost(at: now) }
    if update.fix != nil, !update.flags.contains(.accuracyLimited) { hasExactPosition = true }
    send(feed.epoch(of: update, at: now), at: now)
  }

  /// Whether an update takes the right to the positions so far: the reader may have no positions, or approximate ones only.
  private func isRightLost(in update: Update) -> Bool {
    guard hasExactPosition else { return false }
    let isRefused = update.fix == nil && !update.flags.contains(.locationUnavailable)
    return isRefused || update.flags.contains(.accuracyLimited)
  }

  /// Sends an epoch, or drops the whole epoch: a reader never gets a part of a line.
  func send(_ epoch: [UInt8], at now: Instant) {
    guard rest.isEmpty else {
      droppedEpochCount += 1
      return
    }
    epochCount += 1
    rest = epoch[...]
    flush(at: now)
  }

  /// Drops the positions that the reader has not read, because the reader has lost its right to them.
  private func rightWasLost(at now: Instant) {
    hasExactPosition = false
    // The transport may have the beginning of a line of text.
    if !rest.isEmpty { rest = [0x0D, 0x0A] }
    _ = line.discardUnread()
    flush(at: now)
  }

  /// Writes as many waiting bytes as possible.
  func flush(at now: Instant) {
    while !rest.isEmpty {
      guard let count = line.write(rest) else {
        isGone = true
        return
      }
      if count == 0 {
        blockedSince = blockedSince ?? now
        return
      }
      blockedSince = nil
      rest = rest.dropFirst(count)
    }
    blockedSince = nil
  }

  /// Handles the readiness of the transport; the reader may be disconnected afterwards.
  func ready() {
    switch line.discardInput() {
    case .open: break
    case .ended: hasInput = false
    case .gone: isGone = true
    }
  }
}
