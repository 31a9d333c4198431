import BinnacleBasics
import BinnacleModel

/// The routing of each family of events to its machines.
extension Engine {
  mutating func take(_ event: Event.Receiver, at now: Instant, into effects: inout [Effect]) {
    switch event {
    case .opened(let port): receiver.opened(port, at: now, into: &effects)
    case .openFailed(let fault): receiver.openFailed(fault, at: now, into: &effects)
    case .bytesArrived(let bytes):
      take(receiver.bytesArrived(bytes, at: now, into: &effects), at: now, into: &effects)
    case .drained: receiver.drained(at: now, into: &effects)
    case .speedChanged(let speed):
      take(receiver.speedChanged(speed, at: now, into: &effects), at: now, into: &effects)
    case .speedRefused(let speed): receiver.speedRefused(speed, at: now, into: &effects)
    case .lost(let fault):
      life.receiverLost()
      take(receiver.lost(fault, at: now, into: &effects), at: now, into: &effects)
    }
  }

  mutating func take(
    _ event: Event.Client, of client: ClientID, at now: Instant, into effects: inout [Effect]
  ) {
    // The daemon ends these connections in this turn; nothing of them counts any more.
    if event != .disconnected, hasLostConsole(client) { return }
    switch event {
    case .connected(let peer, let program):
      apps.connected(client, peer, program: program, at: now)
      if let hint = apps.hint(about: peer.app) { effects.append(.log(.notice, hint)) }
      rightsChanged(at: now, into: &effects)
    case .disconnected:
      let left = updates.clientLeft(client)
      apps.disconnected(client, leaving: left, at: now)
      defaults.clientDisconnected(client)
      sky.clientDisconnected(client)
      watch.clientDisconnected(client)
      promptWatch.clientDisconnected(client)
      buttonWatch.clientDisconnected(client)
      phaseWatch.clientDisconnected(client)
      if consoles.clientDisconnected(client) {
        consoleUses.locked(client, time: time(at: now), at: now)
      }
      rightsChanged(at: now, into: &effects)
    case .updatesOpened(let sequence, let configuration, let options):
      open(sequence, configuration, options, of: client, at: now, into: &effects)
      rightsChanged(at: now, into: &effects)
    case .updatesClosed(let sequence):
      close(sequence, of: client, at: now)
      rightsChanged(at: now, into: &effects)
    case .sessionOpened(let id, let session):
      openSession(id, session, of: client, at: now, into: &effects)
      rightsChanged(at: now, into: &effects)
    case .sessionClosed(let id):
      apps.sessions.invalidated(id, of: client)
      rightsChanged(at: now, into: &effects)
    case .authorizationWatched:
      watch.watched(by: client)
      sendAnswers(into: &effects)
    case .buttonsWatched: buttonWatch.watched(by: client)
    case .phaseWatched: phaseWatch.watched(by: client)
    case .skyWatched(let isWatching): sky.watched(isWatching, by: client)
    case .terminalLost:
      apps.terminalLost(client)
      rightsChanged(at: now, into: &effects)
    case .requested(let number, let request):
      take(request, number, of: client, at: now, into: &effects)
    case .pinChecked(let number, let verdict):
      pinChecked(number, verdict, of: client, at: now, into: &effects)
    }
  }

  private mutating func take(
    _ request: ClientRequest, _ number: UInt32, of client: ClientID, at now: Instant,
    into effects: inout [Effect]
  ) {
    switch request {
    case .status:
      effects.append(.client(client, .report(request: number, report(at: now))))
    // Recorder, log and settings are outside the engine, so the daemon answers.
    case .trace, .log, .settings: return
    case .setServices(let isOn):
      setServices(isOn: isOn, for: .client(client, request: number), at: now, into: &effects)
    case .openDefaults: openDefaults(for: client, request: number, into: &effects)
    case .setDefaults(let isLast, let entries):
      setDefaults(entries, isLast: isLast, for: client, request: number, into: &effects)
    case .state(let request):
      take(request, number, of: client, at: now, into: &effects)
    case .sky: requestSky(number, of: client, at: now, into: &effects)
    case .consent(let request): take(request, number, of: client, at: now, into: &effects)
    case .console(let request): take(request, number, of: client, at: now, into: &effects)
    case .day: effects.append(.client(client, .day(request: number, dayReport(at: now))))
    }
  }

  mutating func take(_ event: Event.Storage, at now: Instant, into effects: inout [Effect]) {
    switch event {
    case .read(let reading): stateRead(reading, at: now, into: &effects)
    case .committed(let number, let receipt):
      let settled = storage.state.committed(number, receipt, at: now, into: &effects)
      follow(settled, at: now, into: &effects)
    case .commitFailed(let number, let failure):
      let settled = storage.state.failed(number, failure, at: now, into: &effects)
      follow(settled, at: now, into: &effects)
    case .markChanged(let fault): storage.state.markChanged(fault: fault, into: &effects)
    }
  }
}
