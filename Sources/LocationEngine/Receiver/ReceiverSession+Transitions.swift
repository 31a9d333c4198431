import BinnacleBasics
import UBX

/// The transitions of a session between searching, connected and reading.
extension ReceiverSession {
  mutating func silent(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    effects.append(.log(.notice, "receiver: no more data; searching for the receiver"))
    search(memory: &memory, at: now, into: &effects)
  }

  mutating func search(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    memory.counters.searches &+= 1
    oweSentences(memory: &memory, at: now, into: &effects)
    var others = link.kind.hasSpeed ? SearchMachine.speeds : []
    if case .baud(let speed) = memory.lastSpeed, link.kind.hasSpeed { others.insert(speed, at: 0) }
    link.becameUrgent()
    connection = nil
    positionSource = nil
    listenOnly = .searching(SearchMachine(speed: link.speed, others: others, at: now))
    ask(memory: &memory, at: now, into: &effects)
  }

  mutating func take(
    _ action: SearchMachine.Action, of search: SearchMachine, memory: inout ReceiverMemory,
    at now: Instant, into effects: inout [Effect]
  ) {
    switch action {
    case .none: return
    case .ask: ask(memory: &memory, at: now, into: &effects)
    case .change(let speed):
      restoreSentences(memory: &memory, at: now, into: &effects)
      effects.append(.receiver(.setSpeed(speed)))
    case .pause(let isFirst):
      restoreSentences(memory: &memory, at: now, into: &effects)
      if !link.kind.isBus { effects.append(.receiver(.setSpeed(search.speed))) }
      let place = link.kind.isBus ? "over I2C" : "at any speed"
      let question =
        search.isStreaming
        ? "bytes come, but no message is in them: is it a GNSS receiver, is its ground wired?"
        : "is it powered and wired?"
      if isFirst {
        effects.append(
          .log(.warning, "receiver: no answer \(place); \(question) the search continues"))
      }
    case .read:
      read(.silence, times: 1, at: now)
      effects.append(
        .log(
          .warning,
          "receiver: it sends \(speedInWords)but does not answer; it is read, but not configured"
        ))
      restoreSentences(memory: &memory, at: now, into: &effects)
    }
  }

  private var speedInWords: String { link.kind.isBus ? "" : "at \(link.speed) baud " }

  private mutating func read(_ reason: ReadOnlySource.Reason, times: Int, at now: Instant) {
    link.restartedWaiting(at: now)
    connection = nil
    listenOnly = .reading(ReadOnlySource(reason, times: times, at: now))
  }

  mutating func deaf(
    memory: inout ReceiverMemory, at now: Instant, into effects: inout [Effect]
  ) {
    guard let identity = connection?.value.identity else { return }
    oweSentences(memory: &memory, at: now, into: &effects)
    memory.deafTimes = min(memory.deafTimes + 1, 1_000)
    read(.deafness(identity), times: memory.deafTimes, at: now)
    restoreSentences(memory: &memory, at: now, into: &effects)
    guard memory.deafTimes == 1 else { return }
    effects.append(
      .log(
        .warning,
        "receiver: it reports its identity, but does not answer orders; it is read, but not configured"
      ))
  }
}
