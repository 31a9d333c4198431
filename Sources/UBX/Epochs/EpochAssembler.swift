import BinnacleBasics
import BinnacleModel

/// Makes one navigation solution per epoch from the messages that carry the epoch.
///
/// `UBXEpoch` joins UBX messages, `NMEAAssembler` joins sentences. A receiver may send the same epoch in both
/// protocols: then only the UBX solution is published. The time of day identifies the epoch. While either protocol has
/// no time yet, solutions from sentences are suppressed as long as UBX positions arrive.
struct EpochAssembler: Equatable, Codable, Sendable {
  /// The largest time difference between UBX and NMEA for one epoch.
  ///
  /// Times in NMEA have two or three decimals.
  private static let sameTimeNanoseconds: Int64 = 8_000_000
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  private let publication: StreamDecoder.Publication
  private var ready: [NavigationSolution] = []
  private var ubx: UBXEpoch
  private var sentences: NMEAAssembler
  private var skies: [FoundSky] = []
  private var skyJoin = SkyJoin()
  /// Whether the sky of the current NMEA epoch was published.
  private var isSkyGiven = false
  private var isNMEAPublished = false
  /// Whether UBX has a position for the current NMEA epoch.
  private var isNMEACovered = false
  /// Time of day of the last UBX position; nil if the time is unknown.
  private var ubxTimeOfDay: Int64?
  /// The number of NMEA epochs that began after the last UBX position; nil before the first UBX position.
  private var nmeaEpochsSinceUBX: Int?

  /// A sky, and whether the sky is from sentences.
  struct FoundSky: Equatable, Codable {
    var sky: Sky
    var isInSentences: Bool
  }

  /// Whether skies are published.
  var isSkyWanted = false {
    didSet {
      let emptyList = EpochAssembler.emptyList(publication, isSkyWanted: isSkyWanted)
      let isLive = publication == .whenPositioned
      let isUntouched =
        sentences == NMEAAssembler(emptyList: sentences.emptyList, isLive: isLive)
      if isUntouched { sentences = NMEAAssembler(emptyList: emptyList, isLive: isLive) }
      // The current epoch keeps its list, because a new list would be incomplete.
      sentences.emptyList = emptyList
    }
  }

  init(publication: StreamDecoder.Publication) {
    self.publication = publication
    ubx = UBXEpoch(publication: publication)
    sentences = NMEAAssembler(
      emptyList: EpochAssembler.emptyList(publication, isSkyWanted: false),
      isLive: publication == .whenPositioned)
  }

  /// The list that collects GSV and GSA; nil if no list is needed.
  ///
  /// Decoding of files counts satellites. Live decoding collects satellites only while skies are requested.
  private static func emptyList(
    _ publication: StreamDecoder.Publication, isSkyWanted: Bool
  ) -> SatelliteList? {
    if isSkyWanted { return SatelliteList(isWhole: true) }
    switch publication {
    case .whenPositioned: return nil
    case .whenEnded: return SatelliteList(isWhole: false)
    }
  }

  /// The next solution that is ready.
  mutating func next() -> NavigationSolution? {
    ready.isEmpty ? nil : ready.removeFirst()
  }

  /// The next sky that is ready.
  mutating func nextSky() -> FoundSky? {
    skies.isEmpty ? nil : skies.removeFirst()
  }

  /// Takes a frame's content.
  mutating func take(_ kind: Frame.Kind, _ payload: Payload) {
    switch kind {
    case .ubx(let messageClass, let id):
      let count = ready.count
      let isNews: Bool
      switch (messageClass, id) {
      case (NavPVT.messageClass, _):
        if isSkyWanted { noteSky(id, payload) }
        if isSkyWanted, isAnswerOnly(id, payload) { return give(skyJoin.complete(ubx)) }
        isNews = ubx.take(id: id, payload, into: &ready)
        if isSkyWanted { give(skyJoin.complete(ubx)) }
      case (HnrPVT.messageClass, HnrPVT.messageID):
        isNews = ubx.takeHighRate(payload, into: &ready)
      case _: return
      }
      if ready.count > count { closeNMEA(before: count) }
      if isNews { ubxPositionArrived() }
    case .nmea:
      guard let part = NMEAEpoch.part(of: payload) else {
        if sentences.emptyList != nil, SatelliteList.isView(payload) {
          sentences.takeView(payload)
        }
        return
      }
      take(part, payload)
    case .rtcm:
      return
    }
  }

  /// Ends the current epochs at the end of the stream.
  mutating func finish() {
    give(skyJoin.finish(ubx))
    ubx.end(&ready)
    endNMEA()
    let publication = publication
    let ready = ready
    let skies = skies
    let isSkyWanted = isSkyWanted
    self = EpochAssembler(publication: publication)
    self.ready = ready
    self.skies = skies
    self.isSkyWanted = isSkyWanted
  }

  /// Reports a pause in the stream: messages of the current epoch that are still missing were lost.
  mutating func pauseNoticed() {
    let count = ready.count
    ubx.pauseNoticed(&ready)
    if ready.count > count { closeNMEA(before: count) }
    sentences.pauseNoticed()
    if sentences.endsWithPause { giveSky() }
    guard publication == .whenPositioned, !isNMEAPublished, sentences.epoch.hasPosition,
      sentences.endsWithPause
    else { return }
    publishNMEA()
  }

  /// Suppresses the current NMEA epoch, which is too old to be published.
  mutating func sentencesLapsed() {
    isNMEAPublished = true
    isSkyGiven = true
  }

  /// Suppresses the current UBX epoch, which is too old to be published.
  mutating func navigationLapsed() { ubx.lapsed() }

  private mutating func take(_ part: NMEAEpoch.Parts, _ payload: Payload) {
    if part == .gsa || part == .vtg {
      guard sentences.takeUntimed(part, payload) else { return }
    } else {
      let time = NMEAEpoch.timeOfDay(in: payload, part)
      if sentences.isLate(part, time), sentences.takeLate(part, time: time, payload) { return }
      if sentences.begins(part, time) {
        endNMEA()
        sentences.begin()
        isNMEAPublished = false
        isNMEACovered = false
        isSkyGiven = false
        nmeaEpochsSinceUBX = nmeaEpochsSinceUBX.map { min($0 + 1, 1_000) }
      }
      sentences.take(part, time: time, payload)
      if isSameTime(sentences.epoch.timeOfDay, ubxTimeOfDay) { isNMEACovered = true }
    }
    guard publication == .whenPositioned, !isNMEAPublished, sentences.epoch.hasPosition else {
      return
    }
    let isAlone = nmeaEpochsSinceUBX.map { $0 > 1 } ?? true
    let learned = sentences.learned
    if isAlone, !learned.isEmpty, sentences.epoch.parts.isSuperset(of: learned) { publishNMEA() }
  }

  /// Publishes the sky of the current NMEA epoch.
  private mutating func giveSky() {
    guard isSkyWanted, !isSkyGiven, let sky = sentences.epoch.sky else { return }
    isSkyGiven = true
    give(sky, isInSentences: true)
  }

  private mutating func give(_ sky: Sky, isInSentences: Bool) {
    // A reader of skies reads each sky. The list becomes full only if the reader reads solutions alone.
    if skies.count >= EpochAssembler.skiesMax { skies.removeFirst() }
    skies.append(FoundSky(sky: sky, isInSentences: isInSentences))
  }

  private static let skiesMax = 8

  private mutating func give(_ sky: Sky?) {
    if let sky { give(sky, isInSentences: false) }
  }

  /// Collects the satellites and dilutions of a message of class NAV.
  private mutating func noteSky(_ id: UInt8, _ payload: Payload) {
    give(skyJoin.ended(by: id, payload, ubx))
    skyJoin.take(id: id, payload)
  }

  /// Whether a message is the answer to a poll of NAV-DOP, which arrives after its epoch was published.
  private func isAnswerOnly(_ id: UInt8, _ payload: Payload) -> Bool {
    id == NavDOP.messageID && publication == .whenPositioned && payload.count >= 4
      && ubx.isPublished(payload.u32(0))
  }

  private mutating func endNMEA() {
    giveSky()
    guard sentences.epoch.hasPosition else { return }
    sentences.learn()
    if !isNMEAPublished { publishNMEA() }
  }

  /// Ends the current NMEA epoch if the UBX solution at an index of `ready` has a later time.
  private mutating func closeNMEA(before index: Int) {
    guard sentences.epoch.hasPosition, !isNMEAPublished, let earlier = sentences.epoch.timeOfDay,
      let later = timeOfDay(ready[index].utc)
    else { return }
    guard isBefore(earlier, later) else { return }
    sentences.learn()
    isNMEAPublished = true
    // In live use, an older epoch is not published after a newer one. Example: sentences that were switched off
    // leave an epoch that is seconds old when the first UBX position arrives.
    if !isNMEACovered, publication == .whenEnded { ready.insert(sentences.epoch.joined, at: index) }
  }

  private mutating func publishNMEA() {
    isNMEAPublished = true
    let isTimeUnknown = sentences.epoch.timeOfDay == nil || ubxTimeOfDay == nil
    let isBesideUBX = nmeaEpochsSinceUBX.map { $0 <= 1 } ?? false
    guard !isNMEACovered, !(isTimeUnknown && isBesideUBX) else { return }
    if publication == .whenPositioned, let earlier = sentences.epoch.timeOfDay,
      let later = ubxTimeOfDay,
      isBefore(earlier, later)
    {
      return
    }
    if let earlier = ubxTimeOfDay, let later = sentences.epoch.timeOfDay, isBefore(earlier, later) {
      ubx.end(&ready)
    }
    ready.append(sentences.epoch.joined)
  }

  private mutating func ubxPositionArrived() {
    nmeaEpochsSinceUBX = 0
    ubxTimeOfDay = timeOfDay(ubx.utc)
    if isSameTime(sentences.epoch.timeOfDay, ubxTimeOfDay) { isNMEACovered = true }
  }

  private func timeOfDay(_ time: UTCTime?) -> Int64? {
    time.map {
      let seconds = ($0.secondsSince1970 % 86_400 + 86_400) % 86_400
      return seconds * 1_000_000_000 + Int64($0.nanoseconds)
    }
  }

  /// Whether a time of day precedes another one; the second may be after the next midnight.
  private func isBefore(_ earlier: Int64, _ later: Int64) -> Bool {
    let day = EpochAssembler.dayNanoseconds
    let elapsed = (later - earlier + day) % day
    return elapsed > EpochAssembler.sameTimeNanoseconds && elapsed < day / 2
  }

  private func isSameTime(_ left: Int64?, _ right: Int64?) -> Bool {
    guard let left, let right else { return false }
    let distance = abs(left - right) % EpochAssembler.dayNanoseconds
    return min(distance, EpochAssembler.dayNanoseconds - distance)
      <= EpochAssembler.sameTimeNanoseconds
  }
}
