import BinnacleBasics

/// Splits a series of sentences into epochs.
///
/// A sentence with a different time of day begins the next epoch. A sentence whose time is empty begins the next epoch
/// if the current epoch has the same sentence already. A GSA or VTG between two epochs belongs to the first of the two,
/// or to the second for a receiver that sends GSA or VTG first:
///
/// ```
/// after:   RMC GGA GSA GSA VTG | RMC GGA ...       before:  GSA GSA GGA RMC VTG | GSA ...
/// ```
struct NMEAAssembler: Equatable, Codable, Sendable {
  /// The current epoch.
  private(set) var epoch: NMEAEpoch
  /// The awaited sentences: those of the last epoch with a position.
  private(set) var learned: NMEAEpoch.Parts = []
  /// Sentences without a time that belong to the next epoch.
  private var coming: NMEAEpoch
  /// The initial list for GSV and GSA of an epoch; nil: GSV is ignored, and the satellites of GSA are not listed.
  var emptyList: SatelliteList?
  /// Whether the stream is read while the receiver sends it; the date of an epoch then continues in the next one.
  private let isLive: Bool
  private var listOrder = UntimedOrder()
  private var courseOrder = UntimedOrder()
  /// Sentences without a time since the last sentence with a time.
  private var gap: NMEAEpoch.Parts = []
  private var hasPausedInGap = false
  /// Whether the stream paused after the last sentence with a time.
  private var hasPaused = false
  /// Whether the stream pauses between sentences of the same time.
  private var pausesWithin = false
  /// Sentences without a time before the first sentence with a time in the stream.
  private var head: NMEAEpoch.Parts = []
  /// Whether the current epoch is the first one.
  private var isFirst = true
  /// Whether the current lists arrived before the sentences with a time, and may belong to the epoch before.
  private var areListsEarly = false
  /// Whether the last sentence with a time was late, so that sentences without a time behind it are late, too.
  private var isBehindLate = false
  /// Values of the last epoch and of the lists after it; nil after the order of the lists was judged.
  private var evidence: Evidence?

  private struct Evidence: Equatable, Codable {
    var epochDOPE2: UInt16?
    var isEpochFixed: Bool?
    var listDOPE2: UInt16?
    var isListFixed: Bool?
  }

  init(emptyList: SatelliteList?, isLive: Bool) {
    self.emptyList = emptyList
    self.isLive = isLive
    epoch = NMEAEpoch(list: emptyList)
    coming = NMEAEpoch(list: emptyList)
  }

  /// Whether a pause shows that the current epoch is complete.
  var endsWithPause: Bool { !pausesWithin && !learned.isEmpty }

  /// Whether a sentence with a time begins the next epoch.
  func begins(_ part: NMEAEpoch.Parts, _ time: Int64?) -> Bool {
    guard let time, let current = epoch.timeOfDay else { return epoch.parts.contains(part) }
    return time != current
  }

  /// The age of a late sentence.
  ///
  /// Some receivers round the times of their sentences differently. Many seconds show that the clock was set back.
  private static let lateNanoseconds: ClosedRange<Int64> = 500_000_000...5_000_000_000
  private static let lateSeconds: ClosedRange<Int64> = 0...5
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  /// Whether a sentence belongs to an epoch before the current one, in live use.
  ///
  /// Multiplexers send GGA of a second in one burst with RMC of the second before:
  ///
  /// ```
  /// GGA 12:00:01  RMC 12:00:00 | GGA 12:00:02  RMC 12:00:01 | ...
  /// ```
  ///
  /// As an epoch of its own, this RMC would be published with the next burst, two seconds late and after a newer
  /// position. If the current epoch already has such a sentence, the receiver's clock was set back, or the stream is a
  /// recording in a loop.
  func isLate(_ part: NMEAEpoch.Parts, _ time: Int64?) -> Bool {
    guard isLive, !hasPaused, epoch.isPositionFix, !epoch.parts.contains(part), let time,
      let current = epoch.timeOfDay
    else { return false }
    let day = NMEAAssembler.dayNanoseconds
    return NMEAAssembler.lateNanoseconds.contains((current - time + day) % day)
  }

  /// Takes the date of a late sentence; its position is older than the position of the current epoch.
  ///
  /// - Returns: false if the date differs from the date that continues in the current epoch; the sentence then begins
  ///   an epoch, because the receiver has corrected its date.
  mutating func takeLate(_ part: NMEAEpoch.Parts, time: Int64?, _ payload: Payload) -> Bool {
    var late = NMEAEpoch(list: nil)
    late.take(part, time: time, payload)
    if let said = late.utc {
      if let continued = epoch.utc,
        !NMEAAssembler.lateSeconds.contains(continued.secondsSince1970 - said.secondsSince1970)
      {
        return false
      }
      epoch.preceding = said
    }
    isBehindLate = true
    return true
  }

  /// Ends the current epoch and begins the next one.
  mutating func begin() {
    if gap.contains(.gsa) {
      let list = coming.parts.contains(.gsa) ? coming : epoch
      evidence = Evidence(
        epochDOPE2: epoch.dilutionE2, isEpochFixed: epoch.isFixed, listDOPE2: list.listedDOPE2,
        isListFixed: list.isListedFixed)
    } else {
      evidence = nil
    }
    let preceding = isLive ? epoch.utc ?? epoch.preceding : nil
    epoch = coming
    epoch.preceding = preceding
    coming = NMEAEpoch(list: emptyList)
    isFirst = false
    areListsEarly = epoch.parts.contains(.gsa) && !listOrder.isBefore
    head = []
  }

  /// Learns the sentences of the current epoch, which has ended with a position.
  mutating func learn() { learned = epoch.awaited }

  /// Takes a sentence with a time; the sentence belongs to the current epoch.
  mutating func take(_ part: NMEAEpoch.Parts, time: Int64?, _ payload: Payload) {
    if !epoch.isTimed, isFirst { head = epoch.parts }
    isBehindLate = false
    gap = []
    hasPausedInGap = false
    if hasPaused, let time, time == epoch.timeOfDay { pausesWithin = true }
    hasPaused = false
    epoch.take(part, time: time, payload)
    judgeOrder()
  }

  /// Takes a sentence without a time.
  ///
  /// - Returns: whether the sentence belongs to the current epoch.
  mutating func takeUntimed(_ part: NMEAEpoch.Parts, _ payload: Payload) -> Bool {
    if isBehindLate { return false }
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

  /// Takes a GSV: a GSV has no time and belongs to the same epoch as a GSA at the same place.
  ///
  /// No epoch is delayed for a GSV.
  mutating func takeView(_ payload: Payload) {
    if isOfNext(.gsa) {
      coming.list?.takeView(payload)
    } else {
      epoch.list?.takeView(payload)
    }
  }

  /// Reports a pause in the stream before the next sentence.
  mutating func pauseNoticed() {
    for part in [NMEAEpoch.Parts.gsa, .vtg] where gap.contains(part) {
      note(part) { $0.sawBehind() }
      // The pause before the sentence has counted for the other order. A sentence between two pauses is of the epoch
      // before: it came late.
      if hasPausedInGap { note(part) { $0.sawBehind() } }
    }
    if !listOrder.isBefore, coming.parts.contains(.gsa) { coming.forgetLists() }
    isBehindLate = false
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
    // A stream may start in the middle of an epoch: the first list may belong to an epoch that was not received.
    guard order.isKnown else { return isFirst && head.contains(part) }
    let timed = learned.subtracting(.untimed)
    let isComplete = !timed.isEmpty && epoch.parts.isSuperset(of: timed)
    return order.isBefore && (isComplete || hasPausedInGap)
  }

  /// Compares HDOP or the fix status of a list with both neighboring epochs: a difference shows the epoch of the list.
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
