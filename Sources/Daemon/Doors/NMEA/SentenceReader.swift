import BinnacleBasics
import BinnacleModel
import NMEA

/// One program that reads sentences: its transport, and what it gets when.
final class SentenceReader {
  let id: ClientID
  let peer: Peer
  let program: String
  let line: SentenceLine
  var feed = SentenceFeed()
  private(set) var epochCount = 0
  /// Epochs that the reader lost because it had not read those before.
  private(set) var droppedEpochCount = 0
  /// The rest of an epoch that the transport had no room for.
  private var rest: ArraySlice<UInt8> = []
  private(set) var isGone = false

  init(id: ClientID, peer: Peer, program: String, line: SentenceLine) {
    self.id = id
    self.peer = peer
    self.program = program
    self.line = line
  }

  var wantsToWrite: Bool { !rest.isEmpty }

  /// Sends an epoch, or drops it as a whole: a reader never gets a part of a sentence.
  func send(_ epoch: SentenceEpoch) {
    guard rest.isEmpty else {
      droppedEpochCount += 1
      return
    }
    epochCount += 1
    rest = epoch.bytes[...]
    flush()
  }

  /// Writes on as much as there is room for.
  func flush() {
    while !rest.isEmpty {
      guard let count = line.write(rest) else {
        isGone = true
        return
      }
      if count == 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Takes what the transport says; the reader may be gone after this.
  func ready() {
    if !line.discardInput() { isGone = true }
  }
}
