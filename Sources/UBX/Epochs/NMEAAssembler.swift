/// Finds the epochs in a row of sentences.
///
/// A sentence with another time of day begins the next epoch; so does one without a time that has come before. A GSA or VTG
/// between two epochs belongs to the one before it, or behind it where the receiver sends them first:
///
/// ```
/// behind:  RMC GGA GSA GSA VTG | RMC GGA ...       before:  GSA GSA GGA RMC VTG | GSA ...
/// ```
struct NMEAAssembler: Equatable, Codable, Sendable {
  /// The epoch at hand.
  private(set) var epoch: NMEAEpoch
  /// What the last epoch with a position had that is waited for.
  private(set) var learned: NMEAEpoch.Parts = []
  /// The sentences without a time that came for the next epoch.
  private var coming: NMEAEpoch
  /// What GSV and GSA of an epoch to come are collected in; nil: they are passed over.
  var emptyList: SatelliteList?
  private var listOrder = UntimedOrder()
  private var courseOrder = UntimedOrder()
  /// Sentences without a time since the last one with a time.
  private var gap: NMEAEpoch.Parts = []
  private var hasPausedInGap = false
  /// Whether the line was silent since the last sentence with a time.
  private var hasPaused = false
  /// Whether the line was silent between two sentences of one time.
  private var pausesWithin = false
  /// Sentences without a time before the first one with a time in the stream.
  private var head: NMEAEpoch.Parts = []
  /// Whether the first epoch is at hand.
  private var isFirst = true
  /// Whether the lists at hand came before the sentences with a time, and may be of the epoch before.
  private var areListsEarly = false
  /// What the epoch before and the lists between it and the one at hand say; until the order is judged by it.
  private var evidence: Evidence?

  private struct Evidence: Equatable, Codable {
    var epochDOPE2: UInt16?
    var isEpochFixed: Bool?
    var listDOPE2: UInt16?
    var isListFixed: Bool?
  }

  init(emptyList: SatelliteList?) {
    self.emptyList = emptyList
    epoch = NMEAEpoch(list: emptyList)
    coming = NMEAEpoch(list: emptyList)
  }

  /// Whether no sentence of the epoch at hand is to be expected behind a silence.
  var endsWithPause: Bool { !pausesWithin && !learned.isEmpty }

  /// Whether a sentence with a time begins the next epoch.
  func begins(_ part: NMEAEpoch.Parts, _ time: Int64?) -> Bool {
    guard let time, let current = epoch.timeOfDay else { return epoch.parts.contains(part) }
    return time != current
  }

  /// The epoch at hand has ended.
  mutating func begin() {
    if gap.contains(.gsa) {
      let list = coming.parts.contains(.gsa) ? coming : epoch
      evidence = Evidence(
        epochDOPE2: epoch.dilutionE2, isEpochFixed: epoch.isFixed, listDOPE2: list.listedDOPE2,
        isListFixed: list.isListedFixed)
    } else {
      evidence = nil
    }
    epoch = coming
    coming = NMEAEpoch(list: emptyList)
    isFirst = false
    areListsEarly = epoch.parts.contains(.gsa) && !listOrder.isBefore
    head = []
  }

  /// The epoch at hand is over, with a position.
  mutating func learn() { learned = epoch.awaited }

  /// Takes a sentence with a time of the epoch at hand.
  mutating func take(_ part: NMEAEpoch.Parts, time: Int64?, _ payload: Payload) {
    if !epoch.isTimed, isFirst { head = epoch.parts }
    gap = []
    hasPausedInGap = false
    if hasPaused, let time, time == epoch.timeOfDay { pausesWithin = true }
    hasPaused = false
    epoch.take(part, time: time, payload)
    judgeOrder()
  }

  /// Takes a sentence without a time.
  ///
  /// - Returns: whether it is of the epoch at hand.
  mutating func takeUntimed(_ part: NMEAEpoch.Parts, _ payload: Payload) -> Bool {
    gap.insert(part)
    if hasPausedInGap { note(part) { $0.sawBefore() } }
    if isOfNext(part) {
      coming.take(part, time: nil, payload)
      return false
    }
    if part == .gsa, areListsEarly, epoch.isTimed {
      areListsEarly = false
      epoch.forgetLists()
    }
    epoch.take(part, time: nil, payload)
    return true
  }

  /// Takes a GSV, which bears no time: it is of the epoch that a GSA in its place would be of.
  ///
  /// No epoch waits for a GSV.
  mutating func takeView(_ payload: Payload) {
    if isOfNext(.gsa) {
      coming.list?.takeView(payload)
    } else {
      epoch.list?.takeView(payload)
    }
  }

  /// The line was silent before the next sentence.
  mutating func pauseNoticed() {
    if gap.contains(.gsa) { listOrder.sawBehind() }
    if gap.contains(.vtg) { courseOrder.sawBehind() }
    hasPausedInGap = true
    hasPaused = true
  }

  private mutating func note(
    _ part: NMEAEpoch.Parts, _ change: (inout UntimedOrder) -> Void
  ) {
    if part == .gsa { change(&listOrder) } else { change(&courseOrder) }
  }

  private func isOfNext(_ part: NMEAEpoch.Parts) -> Bool {
    guard epoch.isTimed else { return false }
    let order = part == .gsa ? listOrder : courseOrder
    // A stream may be entered anywhere: the first list may be left of an epoch that was not heard.
    guard order.isKnown else { return isFirst && head.contains(part) }
    let timed = learned.subtracting(.untimed)
    let isComplete = !timed.isEmpty && epoch.parts.isSuperset(of: timed)
    return order.isBefore && (isComplete || hasPausedInGap)
  }

  /// HDOP, and whether there is a fix, show to which of the two epochs around it a list belongs, when these differ.
  private mutating func judgeOrder() {
    guard let seen = evidence else { return }
    let isOfBefore: Bool
    let isOfNext: Bool
    if let list = seen.listDOPE2, let before = seen.epochDOPE2, epoch.parts.contains(.gga) {
      (isOfBefore, isOfNext) = (list == before, list == epoch.dilutionE2)
    } else if let list = seen.isListFixed, let before = seen.isEpochFixed,
      seen.epochDOPE2 == nil, let now = epoch.isFixed
    {
      (isOfBefore, isOfNext) = (list == before, list == now)
    } else {
      return
    }
    evidence = nil
    if isOfBefore, !isOfNext { listOrder.sawBehind() }
    if isOfNext, !isOfBefore { listOrder.sawBefore() }
  }
}
