import Basics
import Model
import UBX

/// A receiver that answers: who it is, what it is told, and whether it is still there and still as it was told.
struct Connection: Equatable, Codable, Sendable {
  let identity: ReceiverIdentity
  var setup: SetupMachine
  private var silence = SilenceWatch()
  private var reset: ResetWatch

  /// The receiver has just said who it is.
  init(
    _ identity: ReceiverIdentity, demand: Demand, link: ReceiverLink, at now: Instant,
    into actions: inout [SetupMachine.Action]
  ) {
    self.identity = identity
    let plan = SetupPlan(identity: identity, isUSB: link.kind == .usb)
    setup = SetupMachine(
      plan: plan, wanted: demand, unsupported: [], speed: link.speed, at: now, into: &actions)
    reset = ResetWatch(at: now)
  }

  /// Whether nothing is awaited from the receiver but its solutions.
  var isSteady: Bool { setup.isIdle && !silence.isAsking }

  /// Takes a message; answers why the receiver is taken to have started again, if it is.
  mutating func take(
    _ message: Message, at now: Instant, into actions: inout [SetupMachine.Action]
  ) -> ResetWatch.Sign? {
    silence.frameArrived()
    if !setup.isIdle { reset.positionArrived(at: now) }
    switch message {
    case .ackACK(let answer):
      setup.acknowledged(
        .init(messageClass: answer.commandClass, id: answer.commandID), at: now, into: &actions)
    case .ackNAK(let answer):
      setup.refused(
        .init(messageClass: answer.commandClass, id: answer.commandID), at: now, into: &actions)
    case .cfgVALGET(let answer): setup.answered(.values(answer.items), at: now, into: &actions)
    case .cfgPRT(let answer): setup.answered(.port(answer), at: now, into: &actions)
    case .cfgMSG(let answer): setup.answered(.messageRate(answer), at: now, into: &actions)
    case .cfgRATE(let answer):
      setup.answered(
        .navigationPeriod(answer.measurementMilliseconds), at: now, into: &actions)
    case .cfgNAV5(let answer): setup.answered(.model(answer.dynamicModel), at: now, into: &actions)
    case .monVER: setup.identified(at: now, into: &actions)
    case .navPVT, .navSOL, .navPOSLLH: reset.positionArrived(at: now)
    case .navSTATUS(let status):
      return reset.uptimeTold(status.uptimeMilliseconds, at: now) ?? reset.otherArrived(at: now)
    case .inf: return setup.isIdle ? reset.textArrived(at: now) : nil
    case .nmea: return setup.isIdle ? reset.sentenceArrived(at: now) : nil
    case _: return reset.otherArrived(at: now)
    }
    return nil
  }

  mutating func deadlineReached(
    lastFrame: Instant, at now: Instant, into actions: inout [SetupMachine.Action]
  ) -> SilenceWatch.Action {
    setup.deadlineReached(at: now, into: &actions)
    if setup.isRaising { return .none }
    return silence.deadlineReached(lastFrame: lastFrame, rateHz: setup.ordered.rateHz, at: now)
  }

  func nextDeadline(lastFrame: Instant) -> Instant {
    let due = silence.nextDeadline(lastFrame: lastFrame, rateHz: setup.ordered.rateHz)
    guard let setupDue = setup.nextDeadline else { return due }
    return setup.isRaising ? setupDue : min(due, setupDue)
  }
}

extension SetupMachine.LogWord {
  var level: LogLevel {
    switch self {
    case .unsupported, .raised, .complete: .info
    case .different, .unanswered, .notRaised: .warning
    }
  }

  var line: String {
    switch self {
    case .unsupported(let name): "this firmware refuses \(name)"
    case .different(let text): "read back: \(text)"
    case .unanswered(let name): "no answer to \(name)"
    case .raised(let speed): "the line runs at \(speed) baud now"
    case .notRaised(let why): "the line stays at its speed: \(why)"
    case .complete(let demand): "configured: \(demand.rateHz) Hz, \(demand.model.name)"
    }
  }
}
