import BinnacleBasics
import UBX

/// Switches the sentences on again that a failed configuration has switched off.
extension ReceiverSession {
  /// The receiver is given up: the order to send its sentences again is scheduled.
  mutating func oweSentences(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    guard let setup = connection?.value.setup, setup.owesSentences else { return }
    memory.sentenceRestorer = SentenceRestorer(
      setup.plan, speeds: [setup.speed, SetupMachine.raisedSpeed], at: now)
    effects.append(
      .log(
        .notice,
        "receiver: no position has come since its sentences were switched off; switching them on"))
  }

  /// Gives the order if it is due, while the receiver is only read and at the end of each dwell of a search.
  ///
  /// An order beside a poll would leave an acknowledgement. The next configuration could take that acknowledgement as
  /// the answer to its first order.
  mutating func restoreSentences(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    let order = memory.sentenceRestorer?.deadlineReached(speed: link.speed, at: now) ?? []
    if !order.isEmpty { effects.append(.receiver(.write(order))) }
  }

  /// Withdraws the order if the withdrawal is due, while the receiver is only read.
  func withdrawSentences(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    let order = memory.sentenceRestorer?.withdrawal(speed: link.speed, at: now) ?? []
    if !order.isEmpty { effects.append(.receiver(.write(order))) }
  }

  /// A solution arrived in UBX, with or without a position: sentences are not needed.
  mutating func solutionInUBXArrived(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    connection?.value.setup.solutionArrived()
    // The next configuration itself decides about sentences. In a search the configuration begins as soon as the
    // receiver identifies itself, and would take the acknowledgement of a withdrawal as its own.
    guard !isConnected, case .reading = listenOnly else {
      if !isConnected {
        fixJudged(memory: &memory)
      } else if case .some = memory.sentenceRestorer {
        memory.sentenceRestorer = nil
      }
      return
    }
    if memory.sentenceRestorer == nil { return }
    memory.sentenceRestorer?.solutionInUBXArrived(at: now)
    withdrawSentences(memory: &memory, at: now, into: &effects)
  }

  /// A position was accepted.
  func fixJudged(memory: inout ReceiverMemory) {
    if memory.sentenceRestorer?.isOwed == true { memory.sentenceRestorer?.fixJudged() }
  }

  /// Orders a receiver that is only read to leave out GSV, until its next start.
  ///
  /// A receiver with a full buffer drops the answers to polls ("txbuf alloc" in the recording pyubx2-mixed.log), so it would
  /// stay unconfigured, and its positions seconds old. Positions need no GSV, which is about half of the sentences.
  func makeRoomForAnswers(into effects: inout [Effect]) {
    let order = CfgMSG(targetClass: 0xF0, targetID: 0x03, rate: .currentPort(0)).frame
    effects.append(.receiver(.write(order)))
  }
}
