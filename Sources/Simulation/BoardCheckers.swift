public import Basics
import LocationEngine
import Model

/// The rules that hold in every run whatever goes wrong; they watch every event and every order.
public struct BoardCheckers: Sendable {
  /// Rules that were broken, with the instant.
  public private(set) var violations: [String] = []
  /// Fixes delivered in all.
  public private(set) var fixCount = 0
  private let world: World
  private var sequences = SequenceLedger()
  private var orders = OrderLedger()
  private var instant = Instant.zero
  private var rates = RateLedger()

  init(world: World) {
    self.world = world
  }

  /// When the first client's first sequence got its last fix.
  public var steadyFixAt: Instant? { sequences.steadyFixAt }

  mutating func told(_ event: Event, at now: Instant) {
    if now < instant { fail("time went backwards") }
    instant = now
    sequences.told(event, at: now)
    orders.told(event, at: now)
    if let text = rates.told(event, at: now) { fail(text) }
  }

  mutating func ordered(
    _ effects: [Effect], after event: Event, isOpen: Bool, at now: Instant
  ) {
    // Every sequence of every client may be told once, and a few orders come with it.
    if effects.count > sequences.openCount + 64 {
      fail("\(effects.count) effects of one event: \(event)")
    }
    for effect in effects {
      switch effect {
      case .deliver(let client, let ids, let update):
        if ids.isEmpty { fail("an update for nobody") }
        let measuredAt = update.fix.map { world.instant(of: $0.time) } ?? now
        for id in ids {
          check(sequences.delivered(update, measuredAt: measuredAt, to: client, id, at: now))
        }
        if let fix = update.fix {
          fixCount += ids.count
          check(truth(of: fix, at: now))
        }
      case .endUpdates(let client, let id, _): check(sequences.ended(client, id))
      case .report(let client, _, _): check(sequences.reported(to: client))
      case .writeReceiver(let bytes):
        if !isOpen { fail("wrote to a device that is not open") }
        check(orders.wrote(bytes, at: now))
      case .setReceiverSpeed:
        if !isOpen { fail("set the speed of a device that is not open") }
        orders.forget()
      case .openReceiver:
        if isOpen { fail("opened a device that is open") }
        orders.forget()
        check(rates.opened(at: now))
      case .closeReceiver: orders.forget()
      case .log(let level, _):
        if level <= .notice { orders.forget() }
        check(rates.logged(at: now))
      case .rememberReceiverSpeed: break
      }
    }
    check(sequences.overdue(at: now))
    check(orders.overdue(at: now))
  }

  mutating func fail(_ text: String) {
    violations.append("\(instant.nanoseconds / 1_000_000) ms: \(text)")
  }

  private mutating func check(_ text: String?) {
    if let text { fail(text) }
  }

  /// A fix is where the body was, within three times what it claims, and fresh.
  private func truth(of fix: Fix, at now: Instant) -> String? {
    guard fix.horizontalAccuracy > 0 else { return "a fix without a position: \(fix)" }
    let measured = world.instant(of: fix.time)
    let age = (now - measured).seconds
    guard (-0.01...6).contains(age) else { return "a fix \(age) s old: \(fix)" }
    let motion = world.motion(at: measured)
    let distance = Ellipsoid.distance(
      from: (motion.latitude, motion.longitude), to: (fix.latitude, fix.longitude))
    guard distance <= 3 * fix.horizontalAccuracy + 1 else {
      return "a fix \(distance) m from the truth: \(fix)"
    }
    if fix.speed >= 0, (fix.speed - motion.speed).magnitude > 3 {
      return "a speed of \(fix.speed) m/s instead of \(motion.speed)"
    }
    return nil
  }
}

/// Which clients and sequences there are, and what each was told.
private struct SequenceLedger: Sendable {
  private struct Client: Sendable {
    var id: ClientID
    var isServed: Bool
  }

  private struct Sequence: Sendable {
    var client: ClientID
    var id: SequenceID
    var isServed: Bool
    var openedAt: Instant
    var fixTime: UTCTime?
    var fixAt: Instant?
    var isUnavailableTold = false
    var isDenialTold = false
  }

  private static let unavailableAfter = Interval.seconds(5)
  /// Late timers, and one fix that a sequence was not handed because the receiver is faster than it.
  private static let slack = Interval.milliseconds(1_400)
  private var clients: [Client] = []
  private var sequences: [Sequence] = []
  private var startedAt: Instant?
  private(set) var steadyFixAt: Instant?
  /// When the newest fix that was handed to anybody arrived, as far as can be seen.
  private var newest: (time: UTCTime, at: Instant)?
  /// Whether a sequence has just been opened: what it gets at once is older than that.
  private var isOpening = false

  var openCount: Int { sequences.count }

  mutating func told(_ event: Event, at now: Instant) {
    isOpening = false
    switch event {
    case .started: startedAt = now
    case .clientConnected(let id, let peer, _):
      let isServed = peer.userID == 0 || peer.userID == ClientScript.daemonUserID
      clients.append(Client(id: id, isServed: isServed))
    case .clientDisconnected(let id):
      clients.removeAll { $0.id == id }
      sequences.removeAll { $0.client == id }
    case .updatesOpened(let client, let id, _):
      isOpening = true
      guard let found = clients.first(where: { $0.id == client }),
        !sequences.contains(where: { $0.client == client && $0.id == id })
      else { return }
      sequences.append(
        Sequence(client: client, id: id, isServed: found.isServed, openedAt: now))
    case .updatesClosed(let client, let id):
      sequences.removeAll { $0.client == client && $0.id == id }
    case .wallClockRead, .receiverOpened, .receiverOpenFailed, .receiverBytesArrived,
      .receiverDrained, .receiverSpeedChanged, .receiverSpeedRefused, .receiverLost,
      .statusRequested, .deadlineReached:
      break
    }
  }

  mutating func delivered(
    _ update: Update, measuredAt: Instant, to client: ClientID, _ id: SequenceID, at now: Instant
  ) -> String? {
    guard
      let index = sequences.firstIndex(where: { $0.client == client && $0.id == id })
    else { return "an update for \(client) \(id), which is not open" }
    let isDenial = update.flags.contains(.authorizationDenied)
    guard sequences[index].isServed else {
      return isDenial && update.fix == nil ? nil : "a stranger got \(update)"
    }
    if isDenial { return "denied to one who is served" }
    if update.flags.contains(.locationUnavailable) {
      if update.fix != nil { return "unavailable, with a fix" }
      return unavailable(index, at: now)
    }
    guard let fix = update.fix else { return nil }
    if newest.map({ $0.time < fix.time }) ?? true {
      newest = (fix.time, isOpening ? measuredAt : now)
    }
    defer {
      sequences[index].fixTime = fix.time
      sequences[index].fixAt = now
      sequences[index].isUnavailableTold = false
      if client.number == 1, id.number == 1 { steadyFixAt = now }
    }
    if let last = sequences[index].fixTime, fix.time <= last {
      return "a fix of \(fix.time) after one of \(last)"
    }
    return nil
  }

  private mutating func unavailable(_ index: Int, at now: Instant) -> String? {
    defer { sequences[index].isUnavailableTold = true }
    if sequences[index].isUnavailableTold { return "unavailable was told twice" }
    let since = sequences[index].fixAt == nil ? startedAt ?? .zero : newest?.at ?? .zero
    return now - since < Self.unavailableAfter
      ? "unavailable was told after \((now - since).seconds) s" : nil
  }

  mutating func ended(_ client: ClientID, _ id: SequenceID) -> String? {
    guard clients.contains(where: { $0.id == client }) else { return "ended for a gone client" }
    sequences.removeAll { $0.client == client && $0.id == id }
    return nil
  }

  func reported(to client: ClientID) -> String? {
    clients.contains { $0.id == client } ? nil : "a report for a gone client"
  }

  /// After five seconds without a fix a sequence has been told so.
  func overdue(at now: Instant) -> String? {
    for sequence in sequences where sequence.isServed && !sequence.isUnavailableTold {
      let since = max(sequence.fixAt ?? sequence.openedAt, startedAt ?? now)
      if now - since > Self.unavailableAfter + Self.slack {
        return "\(sequence.client) \(sequence.id) was told nothing for \((now - since).seconds) s"
      }
    }
    return nil
  }
}

/// Which commands the receiver was given and has not answered.
private struct OrderLedger: Sendable {
  private struct Order: Sendable {
    var address: [UInt8]
    var writtenAt: Instant
    /// Data came under its name; the acknowledgement behind it may have been lost.
    var isAnswered = false
  }

  /// An answer may take more than a second (`ublox.md` section 3.1), so nothing is repeated before this.
  private static let patienceMin = Interval.milliseconds(300)
  /// When an order that nobody speaks of any more counts as forgotten.
  private static let patienceMax = Interval.seconds(20)
  private var outstanding: [Order] = []
  /// For how long after a repetition answers are ambiguous.
  ///
  /// Two answers may come, and answers carry no number: the second looks like one to the next command of that
  /// name, which no driver can tell apart (seed 163). It verifies by reading back instead.
  private static let ambiguity = Interval.seconds(5)
  private var repeated: [Order] = []
  private var writtenAt = Instant.zero
  private var host = CommandReader()
  /// The last bytes that were read, in which an answer may have begun.
  private var heard: [UInt8] = []

  mutating func told(_ event: Event, at now: Instant) {
    switch event {
    case .receiverBytesArrived(let bytes):
      hear(bytes)
    case .receiverLost, .receiverOpened, .receiverOpenFailed, .receiverSpeedChanged: forget()
    case .started, .wallClockRead, .receiverDrained, .receiverSpeedRefused, .clientConnected,
      .clientDisconnected, .updatesOpened, .updatesClosed, .statusRequested, .deadlineReached:
      break
    }
  }

  /// Looks for answers wherever they stand: a reader of frames would wait behind a damaged one, longer or
  /// shorter than the engine does.
  private mutating func hear(_ bytes: [UInt8]) {
    heard += bytes
    var index = 0
    while index + 10 <= heard.count {
      if heard[index] == 0xB5, heard[index + 1] == 0x62 {
        answered(Array(heard[index + 2..<index + 10]))
      }
      index += 1
    }
    heard.removeFirst(index)
  }

  /// Class, id, length and what follows.
  private mutating func answered(_ frame: [UInt8]) {
    switch (frame[0], frame[1]) {
    case (0x05, 0x00), (0x05, 0x01):
      guard ReceiverFrame.checksum(frame[..<6]) == (frame[6], frame[7]) else { return }
      outstanding.removeAll { $0.address == [frame[4], frame[5]] }
    case (0x06, 0x8B):
      // CFG-VALGET only asks: nothing else is acknowledged under its name. What is read back needs no
      // acknowledgement any more.
      outstanding.removeAll { $0.address == [0x06, 0x8B] }
      for index in outstanding.indices { outstanding[index].isAnswered = true }
    case (0x06, let id):
      for index in outstanding.indices where outstanding[index].address == [0x06, id] {
        outstanding[index].isAnswered = true
      }
    default: break
    }
  }

  mutating func wrote(_ bytes: [UInt8], at now: Instant) -> String? {
    writtenAt = now
    var found: String?
    for command in host.take(bytes, at: now) {
      // Only configuration is acknowledged; CFG-RST is not.
      guard case .message(0x06, let id, _) = command, id != 0x04 else { continue }
      let address: [UInt8] = [0x06, id]
      if let last = outstanding.first(where: { $0.address == address }) {
        let isRepetition = now - last.writtenAt >= Self.patienceMin
        if isRepetition { repeated.append(Order(address: address, writtenAt: now)) }
        repeated.removeAll { now - $0.writtenAt > Self.ambiguity }
        if !isRepetition, !repeated.contains(where: { $0.address == address }) {
          found = "two commands 06 \(String(id, radix: 16)) in flight"
        }
      }
      outstanding.removeAll { $0.address == address }
      outstanding.append(Order(address: address, writtenAt: now))
    }
    return found
  }

  mutating func forget() {
    outstanding.removeAll()
  }

  func overdue(at now: Instant) -> String? {
    guard let first = outstanding.first(where: { !$0.isAnswered }),
      now - max(first.writtenAt, writtenAt) > Self.patienceMax
    else { return nil }
    return "the order \(first.address) was neither answered, repeated nor given up"
  }
}

/// How often things happen: nothing may spin.
private struct RateLedger: Sendable {
  private var second = Int64(-1)
  private var deadlines = 0
  private var openings = 0
  private var lines = 0

  private mutating func enter(_ now: Instant) {
    guard now.nanoseconds / 1_000_000_000 != second else { return }
    second = now.nanoseconds / 1_000_000_000
    deadlines = 0
    openings = 0
    lines = 0
  }

  mutating func told(_ event: Event, at now: Instant) -> String? {
    enter(now)
    guard event == .deadlineReached else { return nil }
    deadlines += 1
    return deadlines > 200 ? "more than 200 deadlines in a second" : nil
  }

  mutating func opened(at now: Instant) -> String? {
    enter(now)
    openings += 1
    return openings > 5 ? "more than 5 openings in a second" : nil
  }

  mutating func logged(at now: Instant) -> String? {
    enter(now)
    lines += 1
    return lines > 100 ? "more than 100 log lines in a second" : nil
  }
}
