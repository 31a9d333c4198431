import BinnacleBasics
import BinnacleModel
import NMEA

/// One program that reads sentences: its transport and its waiting sentences.
final class SentenceReader {
  let id: ClientID
  let peer: Peer
  let program: String
  let line: SentenceLine
  var feed = SentenceFeed()
  private(set) var epochCount = 0
  /// The number of epochs that were dropped because the reader was too slow.
  private(set) var droppedEpochCount = 0
  /// The bytes of an epoch that the transport has not accepted yet.
  private var rest: ArraySlice<UInt8> = []
  private(set) var isGone = false

  init(id: ClientID, peer: Peer, program: String, line: SentenceLine) {
    self.id = id
    self.peer = peer
    self.program = program
    self.line = line
  }

  var wantsToWrite: Bool { !rest.isEmpty }

  /// Sends an epoch, or drops the whole epoch: a reader never gets a part of a sentence.
  func send(_ epoch: SentenceEpoch) {
    guard rest.isEmpty else {
      droppedEpochCount += 1
      return
    }
    epochCount += 1
    rest = epoch.bytes[...]
    flush()
  }

  /// Drops the positions that the reader has not read, because the reader has lost its right to them.
  func rightWasLost() {
    // The line may have the beginning of a sentence.
    if !rest.isEmpty { rest = [0x0D, 0x0A] }
    _ = line.discardUnread()
    flush()
  }

  /// Writes as many waiting bytes as possible.
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

  /// Handles the readiness of the transport; the reader may be disconnected afterwards.
  func ready() {
    if !line.discardInput() { isGone = true }
  }
}
