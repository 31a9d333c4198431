import BinnacleBasics

/// Sentences that were switched off on the way to a configuration that fails are switched on again.
extension ReceiverSession {
  /// The receiver is given up: what it was told to leave off it is to be told to send.
  mutating func oweSentences(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    guard let setup = connection?.setup, setup.owesSentences else { return }
    memory.sentenceRestorer = SentenceRestorer(
      setup.plan, speeds: [setup.speed, SetupMachine.raisedSpeed], at: now)
    effects.append(
      .log(
        .notice,
        "receiver: no position has come since its sentences were switched off; switching them on"))
  }

  /// Gives the order if it is due: while the receiver is only read, and in a search at the end of the time at each speed.
  ///
  /// Together with a question it would leave an acknowledgement that the first order of the next configuration could take
  /// for its own.
  mutating func restoreSentences(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    let order = memory.sentenceRestorer?.deadlineReached(speed: link.speed, at: now) ?? []
    if !order.isEmpty { effects.append(.receiver(.write(order))) }
  }

  /// Withdraws the order if that is due, while the receiver is only read.
  func withdrawSentences(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    let order = memory.sentenceRestorer?.withdrawal(speed: link.speed, at: now) ?? []
    if !order.isEmpty { effects.append(.receiver(.write(order))) }
  }

  /// The receiver sends solutions in UBX, in a tunnel without a position: its sentences are not missed.
  mutating func solutionInUBXArrived(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    connection?.setup.solutionArrived()
    // The next configuration says itself whether sentences come. In a search it begins as soon as the receiver says who it
    // is, and would take the acknowledgement of a withdrawal for its own.
    guard !isConnected, case .reading = listenOnly else {
      if isConnected { memory.sentenceRestorer = nil } else { fixJudged(memory: &memory) }
      return
    }
    if memory.sentenceRestorer == nil { return }
    memory.sentenceRestorer?.solutionInUBXArrived(at: now)
    withdrawSentences(memory: &memory, at: now, into: &effects)
  }

  /// A position was good.
  func fixJudged(memory: inout ReceiverMemory) {
    if memory.sentenceRestorer?.isOwed == true { memory.sentenceRestorer?.fixJudged() }
  }
}
