import Basics
import UBX

/// The driver of a u-blox receiver, from opening its device to solutions at the rate that is wanted.
///
///     bytes --> StreamDecoder --messages--> Conversation --orders, speeds--> effects
///                             --solutions--> whoever called
///     device --> DeviceMachine --opened--> a new Conversation --lost--> none
///
/// It asks for what it needs by effects and answers with solutions; what is worth a line goes to the log once,
/// not at each try.
public struct ReceiverMachine: Equatable, Codable, Sendable {
  private(set) var device = DeviceMachine()
  /// What is said on the line, while the device is open.
  ///
  /// It is large and changes at every read, so that it stands here, where it is changed in place, and not in a state
  /// of the device.
  private(set) var conversation: Conversation?
  private(set) var memory: ReceiverMemory
  private(set) var decoder = StreamDecoder(publication: .whenPositioned)
  private(set) var security = SecurityWatch()

  /// What an I2C bus carries at least, in bits per second, where times are reckoned from it.
  private static let busSpeed = 100_000

  init(lastSpeed: Int?) {
    memory = ReceiverMemory(lastSpeed: lastSpeed)
  }

  // MARK: The device

  mutating func started(at now: Instant, into effects: inout [Effect]) {
    take(device.started(at: now), into: &effects)
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
    forgetStream()
    conversation = Conversation(port, memory: &memory, at: now, into: &effects)
  }

  mutating func openFailed(
    _ reason: Event.ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) {
    conversation = nil
    device.openFailed(reason, at: now, into: &effects)
  }

  mutating func lost(
    _ reason: Event.ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) {
    forgetStream()
    conversation = nil
    device.lost(reason, at: now, into: &effects)
  }

  private func take(_ action: DeviceMachine.Action, into effects: inout [Effect]) {
    switch action {
    case .none: return
    case .open:
      switch memory.lastSpeed {
      case .unknown: effects.append(.openReceiver(speed: SearchMachine.speeds[0]))
      case .baud(let speed): effects.append(.openReceiver(speed: speed))
      }
    }
  }

  // MARK: Bytes

  /// Takes bytes; answers the navigation solutions that they complete.
  mutating func bytesArrived(
    _ bytes: [UInt8], at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    guard let lastBytes = conversation?.link.lastBytes else { return [] }
    // An epoch that was cut off by a pause must not come out as fresh when the stream goes on.
    if now - lastBytes > SessionTable.freshnessMax { forgetStream() }
    decoder.append(bytes)
    let solutions = drain(at: now, into: &effects)
    conversation?.bytesRead(
      bytes.count, frameOffset: decoder.frameOffset, bytesAwaited: decoder.bytesAwaited,
      epochMilliseconds: solutions.last { $0.source == .navPVT }?.iTOWMilliseconds,
      memory: &memory, at: now, into: &effects)
    return solutions
  }

  /// Drops what waits in the decoder: the frame and the epoch at hand.
  private mutating func forgetStream() {
    decoder.finish()
    while decoder.next() != nil {}
  }

  private mutating func drain(
    at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    var solutions: [NavigationSolution] = []
    while let reception = decoder.next() {
      switch reception {
      case .message(let message):
        memory.counters.frames &+= 1
        conversation?.take(message, memory: &memory, at: now, into: &effects)
        watch(message, at: now, into: &effects)
      case .solution(let solution):
        memory.counters.solutions &+= 1
        conversation?.positionArrived(at: now, into: &effects)
        solutions.append(solution)
      }
    }
    return solutions
  }

  private mutating func watch(
    _ message: Message, at now: Instant, into effects: inout [Effect]
  ) {
    let beginnings: [SecurityWatch.Beginning]
    switch message {
    case .navSTATUS(let status): beginnings = security.statusArrived(status, at: now)
    case .secSIG(let signal): beginnings = security.signalArrived(signal, at: now)
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
    conversation?.drained(memory: &memory, at: now, into: &effects)
  }

  mutating func speedChanged(_ speed: Int, at now: Instant, into effects: inout [Effect]) {
    // An epoch whose end was not heard would come out when the next one begins, seconds old.
    forgetStream()
    conversation?.speedChanged(
      min(max(speed, 300), 4_000_000), memory: &memory, at: now, into: &effects)
  }

  mutating func speedRefused(_ speed: Int, at now: Instant, into effects: inout [Effect]) {
    conversation?.speedRefused(memory: &memory, at: now, into: &effects)
  }

  // MARK: Demand

  mutating func demandChanged(
    _ demand: Demand, at now: Instant, into effects: inout [Effect]
  ) {
    guard demand != memory.demand else { return }
    memory.demand = demand
    conversation?.demandChanged(memory: &memory, at: now, into: &effects)
  }

  // MARK: Time

  /// Does what is due; answers the solutions that a frame given up had hidden.
  mutating func deadlineReached(
    at now: Instant, into effects: inout [Effect]
  ) -> [NavigationSolution] {
    take(device.deadlineReached(at: now), into: &effects)
    var solutions: [NavigationSolution] = []
    if conversation?.givesUpPartial(at: now) == true {
      if decoder.bytesAwaited > 0 { memory.counters.partialFramesGivenUp &+= 1 }
      decoder.abandonPartialFrame()
      solutions = drain(at: now, into: &effects)
    }
    conversation?.deadlineReached(memory: &memory, at: now, into: &effects)
    return solutions
  }

  var nextDeadline: Instant? { conversation?.nextDeadline ?? device.nextDeadline }

  var quietUntil: Instant? { conversation?.link.rhythm.quietUntil }
}
