import BinnacleBasics

/// Joins the navigation messages of one epoch; these messages have the same time of week.
///
/// ```
/// generation 6, 7:  NAV-SOL  NAV-POSLLH  NAV-VELNED  NAV-TIMEUTC | the same with the next time of week
/// M8 and later:     NAV-PVT  NAV-HPPOSLLH ... NAV-EOE            |
/// ```
///
/// In epochs without NAV-PVT, NAV-PVAT or HNR-PVT is used in its place. NAV-PVT has all fields of a solution, so other
/// messages only add to it. Without NAV-PVT the position is from NAV-POSLLH, else from the standard part of
/// NAV-HPPOSLLH, else from NAV-SOL.
struct UBXEpoch: Equatable, Codable, Sendable {
  /// The messages that arrived.
  struct Parts: OptionSet, Codable, Sendable {
    let rawValue: UInt16
    static let pvt = Parts(rawValue: 1 << 0)
    static let sol = Parts(rawValue: 1 << 1)
    static let posllh = Parts(rawValue: 1 << 2)
    static let hpposllh = Parts(rawValue: 1 << 3)
    static let velned = Parts(rawValue: 1 << 4)
    static let timeUTC = Parts(rawValue: 1 << 5)
    static let timeGPS = Parts(rawValue: 1 << 6)
    static let status = Parts(rawValue: 1 << 7)
    static let dop = Parts(rawValue: 1 << 8)
    static let withPosition: Parts = [.pvt, .sol, .posllh, .hpposllh]
  }

  private let publication: StreamDecoder.Publication
  private var iTOW: UInt32?
  private var parts: Parts = []
  /// The messages of the last epoch with a position; an epoch with all of them is complete.
  private var learned: Parts = []
  private var isPublished = false
  /// Whether the stream paused after the last message.
  private var hasPaused = false
  /// Whether the stream pauses between messages of one epoch, as on a bus that is polled.
  private var pausesWithin = false
  private var solution = NavigationSolution(source: .navPVT)
  /// Whether the message with the position marks the position as invalid.
  private var isPositionInvalid = false
  /// The last GPS-UTC difference from the receiver.
  private var leapSeconds: Int8?
  /// Time of week of the last position of class NAV.
  private var navigationITOW: UInt32?
  /// Horizontal and vertical dilution from NAV-DOP of the current epoch.
  private var horizontalDOPE2: UInt16?
  private var verticalDOPE2: UInt16?
  /// The last two satellite counts: one may belong to the current epoch, one to the next epoch.
  private var view: View?
  private var viewBefore: View?

  /// The number of satellites in NAV-SAT or NAV-SVINFO.
  private struct View: Equatable, Codable {
    var iTOW: UInt32
    var count: UInt8
    var isNavSAT: Bool
  }

  init(publication: StreamDecoder.Publication) {
    self.publication = publication
  }

  /// Whether a position message of the current epoch arrived.
  var hasPosition: Bool { !parts.isDisjoint(with: .withPosition) }

  /// UTC of the current epoch; nil if unknown.
  var utc: UTCTime? { solution.utc }

  /// UTC of the epoch with this time of week; nil for any other epoch than the current one.
  func utc(of iTOW: UInt32) -> UTCTime? { iTOW == self.iTOW ? solution.utc : nil }

  /// Whether the position of the epoch with this time of week was published.
  func isPublished(_ iTOW: UInt32) -> Bool { isPublished && iTOW == self.iTOW }

  /// Takes a message of class NAV.
  ///
  /// - Returns: whether the message brought the first position of an epoch, or the time of an epoch with a position.
  mutating func take(
    id: UInt8, _ payload: Payload, into solutions: inout [NavigationSolution]
  ) -> Bool {
    let iTOWBefore = iTOW
    let hadPosition = hasPosition
    let timeBefore = solution.utc
    switch id {
    case NavPVT.messageID: pvt(payload, &solutions)
    case NavPVAT.messageID: pvat(payload, &solutions)
    case NavTIMELS.messageID: timeLS(payload)
    case NavHPPOSLLH.messageID: hpposllh(payload, &solutions)
    case NavSOL.messageID: sol(payload, &solutions)
    case NavPOSLLH.messageID: posllh(payload, &solutions)
    case NavVELNED.messageID: velned(payload, &solutions)
    case NavTIMEUTC.messageID: timeUTC(payload, &solutions)
    case NavTIMEGPS.messageID: timeGPS(payload, &solutions)
    case NavSTATUS.messageID: status(payload, &solutions)
    case NavDOP.messageID: dop(payload, &solutions)
    case NavSAT.messageID, NavSVINFO.messageID:
      noteView(payload, isNavSAT: id == NavSAT.messageID)
      return false
    case NavEOE.messageID:
      if payload.count >= 4 { end(&solutions) }
      return false
    case _: return false
    }
    publishIfComplete(&solutions)
    if hasPosition { navigationITOW = iTOW }
    let isNews = iTOW != iTOWBefore || !hadPosition || solution.utc != timeBefore
    return hasPosition && isNews
  }

  /// Takes HNR-PVT, which is ignored while positions of class NAV arrive: HNR-PVT is ahead of these.
  ///
  /// - Returns: whether the message brought the first position of an epoch.
  mutating func takeHighRate(
    _ payload: Payload, into solutions: inout [NavigationSolution]
  ) -> Bool {
    guard let message = HnrPVT(payload) else { return false }
    let next = message.solution.iTOWMilliseconds
    if let last = navigationITOW {
      let distance = abs(Int64(next) - Int64(last))
      let week: Int64 = 604_800_000
      if min(distance, week - distance) < UBXEpoch.navigationSilenceMilliseconds { return false }
      navigationITOW = nil
    }
    guard admits(.pvt, iTOW: next, &solutions) else { return false }
    solution = NavigationSolution(message)
    publishIfComplete(&solutions)
    return true
  }

  /// HNR-PVT is used after so many milliseconds without positions of class NAV.
  private static let navigationSilenceMilliseconds: Int64 = 3_000

  /// Reports a pause in the stream: missing messages of the epoch were lost, and its position is published at once.
  mutating func pauseNoticed(_ solutions: inout [NavigationSolution]) {
    hasPaused = true
    guard publication == .whenPositioned, !pausesWithin, hasPosition, !isPublished else { return }
    publish(&solutions)
  }

  /// Suppresses the current epoch, which is too old to be published.
  mutating func lapsed() { isPublished = true }

  /// Ends the current epoch and publishes its solution; later messages with the same time of week do not change it.
  mutating func end(_ solutions: inout [NavigationSolution]) {
    guard hasPosition else { return }
    learned = parts.subtracting(idleParts)
    if !isPublished { publish(&solutions) }
  }

  /// Messages that added nothing, because another message has the same values.
  ///
  /// Some of these messages arrive in every second epoch only: NAV-STATUS once a second beside NAV-SOL twice a second.
  /// No epoch is delayed for them.
  private var idleParts: Parts {
    var idle: Parts = parts.contains(.sol) ? [.status, .dop] : []
    if parts.contains(.timeUTC) { idle.insert(.timeGPS) }
    return idle
  }

  /// Begins or continues the epoch of a message; false when the epoch has a message of this kind already.
  private mutating func admits(
    _ part: Parts, iTOW next: UInt32, _ solutions: inout [NavigationSolution]
  ) -> Bool {
    if next != iTOW {
      begin(next, &solutions)
    } else if hasPaused, part != .status {
      // A NAV-STATUS after a pause may be the answer to a poll.
      pausesWithin = true
    }
    hasPaused = false
    guard !parts.contains(part) else { return false }
    parts.insert(part)
    return true
  }

  private mutating func begin(_ next: UInt32, _ solutions: inout [NavigationSolution]) {
    end(&solutions)
    iTOW = next
    parts = []
    isPublished = false
    isPositionInvalid = false
    horizontalDOPE2 = nil
    verticalDOPE2 = nil
    solution = NavigationSolution(source: .navPVT)
    solution.iTOWMilliseconds = next
  }

  private mutating func publishIfComplete(_ solutions: inout [NavigationSolution]) {
    guard publication == .whenPositioned, !isPublished, hasPosition else { return }
    guard parts.contains(.pvt) || (!learned.isEmpty && parts.isSuperset(of: learned)) else {
      return
    }
    publish(&solutions)
  }

  private mutating func publish(_ solutions: inout [NavigationSolution]) {
    isPublished = true
    var published = solution
    if isPositionInvalid { published.position = nil }
    published.horizontalDOPE2 = horizontalDOPE2
    published.verticalDOPE2 = verticalDOPE2
    published.satellitesInView = satellitesInView
    published.dropPositionNowhere()
    solutions.append(published)
  }
}

// The contribution of each message.
extension UBXEpoch {
  private mutating func pvt(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavPVT(payload) else { return }
    let said = NavigationSolution(message)
    if parts.contains(.pvt), said.iTOWMilliseconds == iTOW, said.utc != solution.utc {
      // The receiver has set its time of week back: a repeated answer would have the same time.
      begin(message.iTOWMilliseconds, &solutions)
    }
    guard admits(.pvt, iTOW: message.iTOWMilliseconds, &solutions) else { return }
    let highPrecision = solution.highPrecision
    solution = said
    solution.highPrecision = highPrecision
    isPositionInvalid = message.isPositionInvalid
  }

  private mutating func pvat(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavPVAT(payload),
      admits(.pvt, iTOW: message.solution.iTOWMilliseconds, &solutions)
    else { return }
    let highPrecision = solution.highPrecision
    solution = NavigationSolution(message)
    solution.highPrecision = highPrecision
    isPositionInvalid = false
  }

  private mutating func timeLS(_ payload: Payload) {
    guard let message = NavTIMELS(payload), message.isCurrentKnown else { return }
    leapSeconds = message.current
  }

  private mutating func hpposllh(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavHPPOSLLH(payload),
      admits(.hpposllh, iTOW: message.iTOWMilliseconds, &solutions)
    else { return }
    if !message.isPositionInvalid { solution.highPrecision = message.position }
    guard parts.isDisjoint(with: [.pvt, .posllh]) else { return }
    isPositionInvalid = message.isPositionInvalid
    solution.source = .navPOSLLH
    solution.position = NavigationSolution.Position(
      latitudeE7: message.latitudeE7, longitudeE7: message.longitudeE7,
      heightMillimeters: message.heightMillimeters,
      heightMSLMillimeters: message.heightMSLMillimeters)
    solution.horizontalAccuracyMillimeters = known(message.horizontalAccuracyE4).map(tenths)
    solution.verticalAccuracyMillimeters = known(message.verticalAccuracyE4).map(tenths)
  }

  private mutating func posllh(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavPOSLLH(payload),
      admits(.posllh, iTOW: message.iTOWMilliseconds, &solutions), !parts.contains(.pvt)
    else { return }
    isPositionInvalid = false
    solution.source = .navPOSLLH
    solution.position = NavigationSolution.Position(
      latitudeE7: message.latitudeE7, longitudeE7: message.longitudeE7,
      heightMillimeters: message.heightMillimeters,
      heightMSLMillimeters: message.heightMSLMillimeters)
    solution.horizontalAccuracyMillimeters = known(message.horizontalAccuracyMillimeters)
    solution.verticalAccuracyMillimeters = known(message.verticalAccuracyMillimeters)
  }

  private mutating func sol(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavSOL(payload),
      admits(.sol, iTOW: message.iTOWMilliseconds, &solutions), !parts.contains(.pvt)
    else { return }
    solution.fixType = NavigationSolution.FixType(rawValue: message.gpsFix)
    solution.isFixOK = message.flags.contains(.fixOK)
    solution.satelliteCount = Int(message.satelliteCount)
    solution.positionDOPE2 = knownDOP(message.positionDOPE2)
    if parts.isDisjoint(with: [.timeUTC, .timeGPS]),
      message.flags.isSuperset(of: [.weekNumberSet, .timeOfWeekSet])
    {
      let utc = leapSeconds.map(message.gpsTime.utc) ?? message.gpsTime.utcByTable
      solution.setTime(utc, isDateValid: utc != nil, isTimeValid: utc != nil)
      solution.isUTCReckoned = utc != nil
    }
    let state = message.state
    if parts.isDisjoint(with: [.posllh, .hpposllh]) {
      solution.source = .navSOL
      solution.position = state.position
      // The accuracy is three-dimensional, so the horizontal accuracy is not larger.
      solution.horizontalAccuracyMillimeters = known(message.positionAccuracyCentimeters)
        .map(times10)
    }
    guard !parts.contains(.velned) else { return }
    let motion = state.motion
    solution.velocity = motion?.velocity
    solution.groundSpeedMillimetersPerSecond = motion?.groundSpeed
    solution.headingOfMotionE5 = motion?.headingE5
    solution.speedAccuracyMillimetersPerSecond =
      known(message.speedAccuracyCentimetersPerSecond).map(times10)
  }

  private mutating func velned(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavVELNED(payload),
      admits(.velned, iTOW: message.iTOWMilliseconds, &solutions), !parts.contains(.pvt)
    else { return }
    solution.velocity = NavigationSolution.Velocity(
      north: times10(message.northCentimetersPerSecond),
      east: times10(message.eastCentimetersPerSecond),
      down: times10(message.downCentimetersPerSecond))
    solution.groundSpeedMillimetersPerSecond = Int32(
      clamping: Int64(message.groundSpeedCentimetersPerSecond) * 10)
    solution.headingOfMotionE5 = message.headingE5
    solution.speedAccuracyMillimetersPerSecond =
      known(message.speedAccuracyCentimetersPerSecond).map(times10)
    solution.headingAccuracyE5 = knownHeadingAccuracy(message.headingAccuracyE5)
  }

  private mutating func timeUTC(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavTIMEUTC(payload),
      admits(.timeUTC, iTOW: message.iTOWMilliseconds, &solutions), !parts.contains(.pvt)
    else { return }
    solution.setTime(
      message.utc, isDateValid: message.valid.contains(.weekNumber),
      isTimeValid: message.valid.isSuperset(of: [.timeOfWeek, .utc]))
    solution.timeAccuracyNanoseconds = known(message.timeAccuracyNanoseconds)
  }

  private mutating func timeGPS(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavTIMEGPS(payload) else { return }
    if message.valid.contains(.leapSeconds) { leapSeconds = message.leapSeconds }
    guard admits(.timeGPS, iTOW: message.iTOWMilliseconds, &solutions),
      parts.isDisjoint(with: [.pvt, .timeUTC])
    else { return }
    solution.setTime(
      message.utc, isDateValid: message.valid.contains(.weekNumber),
      isTimeValid: message.valid.isSuperset(of: [.timeOfWeek, .leapSeconds]))
    solution.timeAccuracyNanoseconds = known(message.timeAccuracyNanoseconds)
  }

  private mutating func status(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavSTATUS(payload),
      admits(.status, iTOW: message.iTOWMilliseconds, &solutions),
      parts.isDisjoint(with: [.pvt, .sol])
    else { return }
    solution.fixType = NavigationSolution.FixType(rawValue: message.gpsFix)
    solution.isFixOK = message.flags.contains(.fixOK)
  }

  private mutating func dop(_ payload: Payload, _ solutions: inout [NavigationSolution]) {
    guard let message = NavDOP(payload),
      admits(.dop, iTOW: message.iTOWMilliseconds, &solutions)
    else { return }
    horizontalDOPE2 = knownDOP(message.horizontalE2)
    verticalDOPE2 = knownDOP(message.verticalE2)
    guard parts.isDisjoint(with: [.pvt, .sol]) else { return }
    solution.positionDOPE2 = knownDOP(message.positionE2)
  }

  /// Notes the number of satellites: byte 5 of NAV-SAT, byte 4 of NAV-SVINFO.
  ///
  /// A list neither begins nor ends an epoch. If both lists arrive, NAV-SAT counts.
  private mutating func noteView(_ payload: Payload, isNavSAT: Bool) {
    guard payload.count >= 8 else { return }
    let count = payload.u8(isNavSAT ? 5 : 4)
    guard payload.count >= 8 + 12 * Int(count) else { return }
    let said = View(iTOW: payload.u32(0), count: count, isNavSAT: isNavSAT)
    guard let last = view, last.iTOW == said.iTOW else {
      viewBefore = view
      return view = said
    }
    if isNavSAT || !last.isNavSAT { view = said }
  }

  private var satellitesInView: Int? {
    if let view, view.iTOW == iTOW { return Int(view.count) }
    if let viewBefore, viewBefore.iTOW == iTOW { return Int(viewBefore.count) }
    return nil
  }
}

private func times10(_ number: Int32) -> Int32 { Int32(clamping: Int64(number) * 10) }

private func times10(_ number: UInt32) -> UInt32 { UInt32(clamping: UInt64(number) * 10) }

private func tenths(_ number: UInt32) -> UInt32 { (number &+ 5) / 10 }
