import Basics

/// Makes one navigation solution per epoch out of whatever messages carry it.
///
/// UBX messages are joined by `UBXEpoch`, sentences by `NMEAEpoch`. A receiver may say the same epoch in both:
/// then the sentences are silent. Which epochs are the same is told by the time of day; where one side has no time yet,
/// sentences are silent as long as UBX positions come.
struct EpochAssembler: Equatable, Codable, Sendable {
  /// Most that the time in sentences, which has two or three decimals, differs from that of the same epoch in UBX.
  private static let sameTimeNanoseconds: Int64 = 8_000_000
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  private let publication: StreamDecoder.Publication
  private var ready: [NavigationSolution] = []
  private var ubx: UBXEpoch
  private var nmea = NMEAEpoch()
  private var isNMEAPublished = false
  /// What the last NMEA epoch consisted of.
  private var learned: NMEAEpoch.Parts = []
  private var lastPart: NMEAEpoch.Parts = []
  /// The NMEA epoch at hand has a position in UBX.
  private var isNMEACovered = false
  /// Time of day of the last UBX position, when it is known.
  private var ubxTimeOfDay: Int64?
  /// How many NMEA epochs have begun since the last UBX position; nil before the first one.
  private var nmeaEpochsSinceUBX: Int?

  init(publication: StreamDecoder.Publication) {
    self.publication = publication
    ubx = UBXEpoch(publication: publication)
  }

  /// The next solution that is ready.
  mutating func next() -> NavigationSolution? {
    ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Takes a frame's content.
  mutating func take(_ kind: Frame.Kind, _ payload: Payload) {
    switch kind {
    case .ubx(let messageClass, let id):
      guard messageClass == NavPVT.messageClass else { return }
      let count = ready.count
      let isNews = ubx.take(id: id, payload, into: &ready)
      if ready.count > count { closeNMEA(before: count) }
      if isNews { ubxPositionArrived() }
    case .nmea:
      guard let part = NMEAEpoch.part(of: payload) else {
        // GSV, GLL and the like say nothing, but GSA comes in one row.
        lastPart = []
        return
      }
      take(part, payload)
    case .rtcm:
      return
    }
  }

  /// Closes the epochs at hand, since the stream has ended.
  mutating func finish() {
    ubx.end(&ready)
    endNMEA()
    let publication = publication
    let ready = ready
    self = EpochAssembler(publication: publication)
    self.ready = ready
  }

  private mutating func take(_ part: NMEAEpoch.Parts, _ payload: Payload) {
    if begins(part, NMEAEpoch.timeOfDay(in: payload, part)) {
      endNMEA()
      nmea = NMEAEpoch()
      isNMEAPublished = false
      isNMEACovered = false
      nmeaEpochsSinceUBX = nmeaEpochsSinceUBX.map { min($0 + 1, 1_000) }
    }
    lastPart = part
    nmea.take(part, payload)
    if isSameTime(nmea.timeOfDay, ubxTimeOfDay) { isNMEACovered = true }
    guard publication == .whenPositioned, !isNMEAPublished, nmea.hasPosition else { return }
    let isAlone = nmeaEpochsSinceUBX.map { $0 > 1 } ?? true
    if isAlone, !learned.isEmpty, nmea.parts.isSuperset(of: learned) { publishNMEA() }
  }

  /// Whether a sentence belongs to the next epoch.
  private func begins(_ part: NMEAEpoch.Parts, _ time: Int64?) -> Bool {
    if nmea.parts.contains(part), part != .gsa || lastPart != .gsa { return true }
    guard let time, let current = nmea.timeOfDay else { return false }
    return time != current
  }

  private mutating func endNMEA() {
    guard nmea.hasPosition else { return }
    learned = nmea.parts
    if !isNMEAPublished { publishNMEA() }
  }

  /// Closes the NMEA epoch at hand when the UBX solution at an index of `ready` is of a later one.
  private mutating func closeNMEA(before index: Int) {
    guard nmea.hasPosition, !isNMEAPublished, let earlier = nmea.timeOfDay,
      let later = timeOfDay(ready[index].utc)
    else { return }
    guard isBefore(earlier, later) else { return }
    learned = nmea.parts
    isNMEAPublished = true
    // To one who waits for positions an epoch that a later one has overtaken is history: sentences that were
    // switched off leave one behind, which is seconds old when the first UBX position comes.
    if !isNMEACovered, publication == .whenEnded { ready.insert(nmea.joined, at: index) }
  }

  private mutating func publishNMEA() {
    isNMEAPublished = true
    let isTimeUnknown = nmea.timeOfDay == nil || ubxTimeOfDay == nil
    let isBesideUBX = nmeaEpochsSinceUBX.map { $0 <= 1 } ?? false
    guard !isNMEACovered, !(isTimeUnknown && isBesideUBX) else { return }
    if publication == .whenPositioned, let earlier = nmea.timeOfDay, let later = ubxTimeOfDay,
      isBefore(earlier, later)
    {
      return
    }
    if let earlier = ubxTimeOfDay, let later = nmea.timeOfDay, isBefore(earlier, later) {
      ubx.end(&ready)
    }
    ready.append(nmea.joined)
  }

  private mutating func ubxPositionArrived() {
    nmeaEpochsSinceUBX = 0
    ubxTimeOfDay = timeOfDay(ubx.utc)
    if isSameTime(nmea.timeOfDay, ubxTimeOfDay) { isNMEACovered = true }
  }

  private func timeOfDay(_ time: UTCTime?) -> Int64? {
    time.map {
      let seconds = ($0.secondsSince1970 % 86_400 + 86_400) % 86_400
      return seconds * 1_000_000_000 + Int64($0.nanoseconds)
    }
  }

  /// Whether a time of day is before another one, which may be after the next midnight.
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
