import BinnacleBasics

/// The faults of the receiver's line, for reports.
extension ReceiverMachine {
  /// The time since the last byte of a receiver that is awake; nil while bytes come as often as before.
  func silence(at now: Instant) -> Interval? {
    guard let session = session?.value, session.connection?.value.sleep.isAwake != false else {
      return nil
    }
    // The wait for a receiver that was woken begins anew.
    let silence = now - max(session.link.lastBytes, session.link.lastFrame)
    return silence >= stream.silenceMin ? silence : nil
  }

  /// When the daemon opens an absent device again, or begins the next round of a search; nil while no such try waits.
  var nextTryAt: Instant? {
    if let session = session?.value {
      guard !session.isConnected, case .searching(let search) = session.listenOnly,
        search.isPausing
      else { return nil }
      return search.nextDeadline
    }
    if case .closed(let until, _) = device.state { return until }
    return nil
  }

  /// The fault that keeps positions away; nil without a fault.
  func obstacle(at now: Instant) -> ReceiverTrouble? {
    guard let session = session?.value else { return nil }
    if silence(at: now) != nil { return .silence(of: session.link.kind) }
    let isExpected: Bool =
      session.connection.map { $0.value.setup.isIdle && $0.value.sleep.isAwake } ?? true
    return stream.trouble(isExpected: isExpected, at: now).map { ReceiverTrouble($0) }
  }

  /// The obstacle, or a doubt about the receiver, as text for a person; nil without either.
  func trouble(at now: Instant) -> ReceiverTrouble? {
    if let obstacle = obstacle(at: now) { return obstacle }
    guard let session = session?.value else { return nil }
    // A receiver that is silent at every speed has no sentences that could be missed.
    if !session.isConnected, condition != .silent, memory.sentenceRestorer?.isOwed == true {
      return .sentencesOwed
    }
    if session.connection?.value.setup.answersNoQuestion == true { return .answersNoQuestion }
    let quality = session.link.quality
    guard quality.effort != .plain, let percent = quality.damagedPercent else { return nil }
    return ReceiverTrouble(
      damagedPercent: percent, triesMax: CommandMachine.ordersMax * quality.effort.tries)
  }
}
