import BinnacleBasics
import BinnacleModel
import UBX

/// The driver of a u-blox receiver, from opening its device to solutions at the wanted rate.
///
///     bytes --> StreamDecoder --messages--> ReceiverSession --orders, speeds--> effects
///                             --solutions--> the caller
///     device --> DeviceMachine --opened--> a new ReceiverSession --lost--> none
///
/// The machine gives orders as effects and returns solutions. An event is logged once, not at each attempt.
public struct ReceiverMachine: Equatable, Codable, Sendable {
  private(set) var device = DeviceMachine()
  /// The session on the line, while the device is open.
  ///
  /// The session is large and changes at every read. The session is therefore a property that is changed in place, and
  /// not part of a state of the device.
  private(set) var session: InPlace<ReceiverSession>?
  var memory: ReceiverMemory
  private(set) var decoder = StreamDecoder(publication: .whenPositioned)
  private(set) var security = SecurityWatch()
  /// The kind of stream on a line that gives no position.
  var stream = StreamWatch()
  /// The satellites in view, while a client wants them.
  var skies = SkyInbox()
  /// The arrival of the newest sentence with a time; nil: its epoch is dropped.
  private var sentenceAt: Instant?
  /// The arrival of the newest NAV message that belongs to an epoch of several messages; nil: its epoch is dropped.
  private var navigationAt: Instant?
  private var passing = PassedByAddress()

  /// The least capacity of an I2C bus, in bits per second, for computed times.
  private static let busSpeed = 100_000

  init(lastSpeed: Int?, wakeLine: WakeLine? = nil) {
    memory = ReceiverMemory(lastSpeed: lastSpeed)
    memory.wakeLine = wakeLine
  }

  /// Tries this speed first.
  mutating func recall(speed: Int) {
    let wakeLine = memory.wakeLine
    memory = ReceiverMemory(lastSpeed: speed)
    memory.wakeLine = wakeLine
  }

  // MARK: The device

  mutating func started(at now: Instant, into effects: inout [Effect]) {
    memory.wakeLine?.started(into: &effects)
    take(device.started(at: now), at: now, into: &effects)
  }

  mutating func opened(
    _ port: Event.ReceiverPort, at now: Instant, into effects: inout [Effect]
  ) {
    memory.counters.openings &+= 1
    device.opened()
    var port = port
    port.speed =
      port.kind.isBus ? ReceiverMachine.busSpeed : min(max(port.speed, 300), 4_000_000)
    let line = port.kind.isBus ? "over I2C" : "at \(port.speed) baud"
    effects.append(.log(.info, "receiver: device opened \(line)"))
    decoder.isFillerExpected = port.kind.isBus
    forgetStream(at: now, into: &effects)
    stream.restarted(at: now)
    session = InPlace(ReceiverSession(port, memory: &memory, at: now, into: &effects))
  }

  mutating func openFailed(
    _ reason: ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) {
    session = nil
    device.openFailed(reason, at: now, into: &effects)
  }

  /// Takes the loss of the device; returns the solutions that were hidden in a cut-off frame.
  mutating func lost(
    _ reason: ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    let solutions = endStream(at: now, into: &effects)
    session?.value.oweSentences(memory: &memory, at: now, into: &effects)
    session = nil
    device.lost(reason, at: now, into: &effects)
    return solutions
  }

  private mutating func take(
    _ action: DeviceMachine.Action, at now: Instant, into effects: inout [Effect]
  ) {
    switch action {
    case .none: return
    case .open:
      // A receiver on a bus that sleeps since an earlier run would not answer.
      memory.wakeLine?.wake(at: now, into: &effects)
      switch memory.lastSpeed {
      case .unknown: effects.append(.receiver(.open(speed: SearchMachine.speeds[0])))
      case .baud(let speed): effects.append(.receiver(.open(speed: speed)))
      }
    }
  }

  // MARK: Bytes

  /// Takes bytes; returns the navigation solutions that the bytes complete.
  mutating func bytesArrived(
    _ bytes: [UInt8], at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    guard let lastBytes = session?.value.link.lastBytes else { return [] }
    if session?.value.bytesOfSleeperArrived(at: now) == true { return [] }
    stream.bytesArrived(bytes, at: now)
    // An epoch that a pause has cut off must not be delivered as fresh when the stream resumes.
    if now - lastBytes > UpdateTable.freshnessMax { forgetStream(at: now, into: &effects) }
    // A pause completes the epoch under way.
    dropStaleEpochs(at: now)
    if session?.value.link.hasPaused(before: bytes.count, at: now) == true {
      decoder.pauseNoticed()
    }
    decoder.append(bytes)
    let solutions = drain(at: now, into: &effects)
    stream.bytesCounted(
      wholeBytes: decoder.frameBytes, damagedBytes: decoder.damage.discardedBytes, at: now)
    session?.value.bytesRead(
      bytes.count, streamEnd: decoder.endOffset, frameOffset: decoder.frameOffset,
      bytesAwaited: decoder.bytesAwaited, damageOccurrences: decoder.damage.occurrences,
      epochMilliseconds: solutions.last { $0.source == .navPVT }?.iTOWMilliseconds,
      memory: &memory, at: now, into: &effects)
    return solutions
  }

  /// Ends the decoder's frames; returns the solutions that were hidden in another frame.
  ///
  /// The session does not get these messages: the session continues at another speed or ends.
  private mutating func endStream(
    at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    var solutions: [NavigationSolution] = []
    if let lastBytes = session?.value.link.lastBytes, now - lastBytes <= UpdateTable.freshnessMax {
      while decoder.bytesAwaited > 0 {
        memory.counters.partialFramesGivenUp &+= 1
        decoder.abandonPartialFrame()
        solutions += drain(tellsConversation: false, at: now, into: &effects)
      }
    }
    forgetStream(at: now, into: &effects)
    return solutions
  }

  /// Drops the frame under way and the epoch, which is too old to be delivered.
  ///
  /// The frames are still counted and watched, and the epochs are counted as dropped.
  private mutating func forgetStream(at now: Instant, into effects: inout [Effect]) {
    decoder.finish()
    while let reception = decoder.next() {
      switch reception {
      case .message(let message):
        memory.counters.frames &+= 1
        watch(message, at: now, into: &effects)
      case .solution: memory.counters.solutionsDropped &+= 1
      // The sky is as old as the epoch.
      case .sky: continue
      }
    }
  }

  /// Gives up the frame under way and parses the bytes that it had hidden.
  private mutating func abandonPartial(
    at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    memory.counters.partialFramesGivenUp &+= 1
    decoder.abandonPartialFrame()
    let solutions = drain(at: now, into: &effects)
    session?.value.partialAbandoned(
      frameOffset: decoder.frameOffset, bytesAwaited: decoder.bytesAwaited)
    return solutions
  }

  private mutating func drain(
    tellsConversation: Bool = true, at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    dropStaleEpochs(at: now)
    var solutions: [NavigationSolution] = []
    while let reception = decoder.next() {
      switch reception {
      case .message(let message):
        noteParts(message, at: now)
        memory.counters.frames &+= 1
        stream.messageArrived(message, at: now)
        if tellsConversation {
          session?.value.take(message, memory: &memory, at: now, into: &effects)
        }
        watch(message, at: now, into: &effects)
      case .solution(let solution):
        memory.counters.solutions &+= 1
        stream.solutionArrived(at: now)
        if solution.satelliteCount ?? 0 > 0 { memory.signalAt = now }
        session?.value.positionArrived(solution, memory: &memory, at: now, into: &effects)
        solutions.append(solution)
      case .sky(let sky, let isInSentences):
        if !isInSentences { session?.value.skyAwaitedUntil = nil }
        skies.arrived(sky, isInSentences: isInSentences, at: now)
      }
    }
    return solutions
  }

  private mutating func dropStaleEpochs(at now: Instant) {
    if let instant = sentenceAt, now - instant > UpdateTable.freshnessMax {
      decoder.sentencesLapsed()
      sentenceAt = nil
    }
    if let instant = navigationAt, now - instant > UpdateTable.freshnessMax {
      decoder.navigationLapsed()
      navigationAt = nil
    }
  }

  private mutating func noteParts(_ message: Message, at now: Instant) {
    switch message {
    case .nmea(let sentence) where sentence.timeField != nil: sentenceAt = now
    case .navSOL, .navPOSLLH, .navVELNED, .navTIMEUTC, .navTIMEGPS, .navHPPOSLLH:
      navigationAt = now
    case _: return
    }
  }

  private mutating func watch(
    _ message: Message, at now: Instant, into effects: inout [Effect]
  ) {
    let beginnings: [SecurityWatch.Beginning]
    switch message {
    case .navSTATUS(let status): beginnings = security.statusArrived(status, at: now)
    case .secSIG(let signal): beginnings = security.signalArrived(signal, at: now)
    case .navSAT(let sky):
      if sky.satellites.contains(where: { $0.carrierToNoiseDBHz > 0 }) { memory.signalAt = now }
      return
    case _: return
    }
    for beginning in beginnings {
      switch beginning {
      case .spoofing: effects.append(.log(.warning, "receiver: it indicates spoofing"))
      case .jamming: effects.append(.log(.warning, "receiver: it indicates jamming"))
      }
    }
  }

  // MARK: The line

  mutating func drained(at now: Instant, into effects: inout [Effect]) {
    session?.value.drained(memory: &memory, at: now, into: &effects)
  }

  /// Takes the line's new speed; returns the solutions that were hidden in a frame from the old speed.
  mutating func speedChanged(
    _ speed: Int, at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    // Otherwise an unfinished epoch would be delivered when the next epoch begins, seconds old.
    let solutions = endStream(at: now, into: &effects)
    stream.speedChanged(at: now)
    session?.value.speedChanged(
      min(max(speed, 300), 4_000_000), memory: &memory, at: now, into: &effects)
    return solutions
  }

  mutating func speedRefused(_ speed: Int, at now: Instant, into effects: inout [Effect]) {
    session?.value.speedRefused(memory: &memory, at: now, into: &effects)
  }

  // MARK: Demand

  mutating func demandChanged(
    _ demand: Demand, at now: Instant, into effects: inout [Effect]
  ) {
    guard demand != memory.demand else { return }
    memory.demand = demand
    session?.value.demandChanged(memory: &memory, at: now, into: &effects)
  }

  // MARK: Satellites

  /// Switches the decoding of satellites on or off.
  mutating func skyWanted(_ isWanted: Bool) {
    if decoder.isSkyWanted != isWanted { decoder.isSkyWanted = isWanted }
    if !isWanted { skies = SkyInbox() }
  }

  /// Polls the receiver for dilutions and satellites.
  mutating func askForSky(at now: Instant, into effects: inout [Effect]) {
    session?.value.askForSky(at: now, into: &effects)
  }

  // MARK: Sleep

  /// Sends the receiver to sleep, if it is awake and can sleep; `powerState` shows the result.
  mutating func sleep(
    for duration: Interval, at now: Instant, into effects: inout [Effect]
  ) {
    session?.value.sleep(for: duration, memory: &memory, at: now, into: &effects)
  }

  /// Wakes the receiver.
  ///
  /// - Parameters:
  ///   - isHurried: whether an app waits; otherwise the engine may test which signal wakes the receiver.
  ///   - now: the time.
  ///   - effects: gets the orders.
  mutating func wake(isHurried: Bool, at now: Instant, into effects: inout [Effect]) {
    session?.value.wake(isHurried: isHurried, memory: &memory, at: now, into: &effects)
  }

  // MARK: Assistance

  /// Sets whether an app gets positions; the receiver's navigation database is polled only then.
  mutating func positionsWanted(_ areWanted: Bool) { memory.assistance.isTracking = areWanted }

  /// The stored navigation databases were read.
  mutating func recovered(_ database: NavigationDatabase) {
    memory.assistance.recovered(database)
  }

  /// The stored last place was read.
  mutating func recovered(_ place: LastPlace) { memory.assistance.recovered(place) }

  /// The stored last place was erased.
  mutating func forgetPlace() { memory.assistance.forgetPlace() }
  mutating func forgetDatabases() { memory.assistance.forgetDatabases() }

  /// The wall clock was read.
  ///
  /// - Parameters:
  ///   - time: the time of the wall clock.
  ///   - within: the uncertainty of the wall clock; nil if unknown.
  ///   - now: when the wall clock was read.
  mutating func clockRead(_ time: UTCTime, within: Interval?, at now: Instant) {
    memory.assistance.clockRead(time, within: within, at: now)
  }

  /// A solution was accepted.
  mutating func fixJudged(_ fix: Fix, at now: Instant) {
    memory.assistance.fixJudged(fix, model: model, at: now)
    session?.value.fixJudged(memory: &memory)
    stream.accepted()
  }

  /// A solution was rejected.
  mutating func solutionRejected(_ cause: Rejection, at now: Instant) {
    stream.rejected(cause, at: now)
  }

  /// The daemon stops: the receiver is polled for its navigation database, if enough fixes came since the last poll.
  mutating func stopRequested(at now: Instant, into effects: inout [Effect]) {
    session?.value.stopRequested(memory: &memory, at: now, into: &effects)
  }

  /// Whether the receiver is sending its navigation database.
  var isPolling: Bool { connection?.value.assistance.isPolling ?? false }

  /// The databases that the receiver has sent since the last call.
  mutating func takeDatabase() -> NavigationDatabase? { memory.assistance.takeNews() }

  // MARK: Time

  /// Handles the deadlines that are due; returns the solutions that were hidden in abandoned frames.
  ///
  /// A hidden part may begin with another old frame. All these frames are abandoned at once, and the good frames behind
  /// them are parsed before silence is judged.
  mutating func deadlineReached(
    at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    let mayTryLine = mayTryLine
    memory.wakeLine?.deadlineReached(mayTry: mayTryLine, at: now, into: &effects)
    take(device.deadlineReached(at: now), at: now, into: &effects)
    var solutions: [NavigationSolution] = []
    while decoder.bytesAwaited > 0, session?.value.givesUpPartial(at: now) == true {
      solutions += abandonPartial(at: now, into: &effects)
    }
    session?.value.deadlineReached(memory: &memory, at: now, into: &effects)
    return solutions
  }

  var nextDeadline: Instant? {
    earlier(
      sessionDeadline ?? device.nextDeadline, memory.wakeLine?.nextDeadline(mayTry: mayTryLine))
  }

  /// While a receiver answers, this reads properties of the session: a call of its method would copy it.
  private var sessionDeadline: Instant? {
    guard let connection, let link else { return session?.value.listenOnlyDeadline(memory) }
    return earlier(connection.value.nextDeadline(link), link.nextDeadline)
  }

  var quietUntil: Instant? { session?.value.link.rhythm.quietUntil }
}
