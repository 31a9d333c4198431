import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

@testable import Simulation

/// An engine that breaks one promise about the life of apps.
struct BrokenLife: EngineUnderTest {
  enum Flaw: String, CaseIterable {
    case launchesTheClosed, launchesTooSoon, launchesNothing, retriesAtOnce
    case losesWhatWaits, losesTheOldest, repeatsWhatWaits, restampsWhatWaits, deliversLate
    case deliversToTheSuspended, resumesNothing, resumesTooOften
    case omitsTheNotice, omitsTheReason, suspendsTheForeground, suspendsProgramsOfPersons
    case killsNothing, endsTheWrongApp, answersNothing

    /// A part of the complaint about this flaw.
    var complaint: String {
      switch self {
      case .launchesTheClosed: "launched although a person has closed it"
      case .launchesTooSoon: "launched before its process had RejoinWindow"
      case .launchesNothing: "is not launched"
      case .retriesAtOnce: "launched before the end of its pause"
      case .losesWhatWaits: "a location has not reached an app that runs"
      case .losesTheOldest: "a location was lost"
      case .repeatsWhatWaits: "a location out of order"
      case .restampsWhatWaits, .deliversLate: "a location from a time without a right to it"
      case .deliversToTheSuspended: "an update is delivered to a suspended app"
      case .resumesNothing: "is not resumed"
      case .resumesTooOften: "resumed within WakeInterval"
      case .omitsTheNotice: "suspended without a notice"
      case .omitsTheReason: "suspended before it was informed of its missing right"
      case .suspendsTheForeground: "suspended in the foreground"
      case .suspendsProgramsOfPersons: "suspended although"
      case .killsNothing: "that a person has closed is not killed"
      case .endsTheWrongApp: "ended for memory, although another app"
      case .answersNothing: "a request of a person has no answer"
      }
    }
  }

  private var engine: Engine
  private let flaw: Flaw
  private var closed: [AppID] = []
  private var frozen: [AppID] = []
  private var apps: [ClientID: AppID] = [:]
  /// Whether the log had a session of the first app when the daemon started.
  private var isAwaited = false
  private var lastFix: Fix?
  private var refused: (client: ClientID, sequences: [SequenceID])?
  private var served: (client: ClientID, sequences: [SequenceID])?

  init(_ engine: Engine, _ flaw: Flaw) {
    self.engine = engine
    self.flaw = flaw
  }

  var outlook: Engine.Outlook { engine.outlook }

  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    engine.handle(event, at: now, into: &effects)
    note(event)
    for effect in effects { note(effect) }
    effects = effects.flatMap { spoiled($0, after: event) }
    add(to: &effects, after: event)
  }

  private mutating func note(_ event: Event) {
    switch event {
    case .client(let client, .connected(let peer, _)): apps[client] = peer.app
    case .storage(.read(let reading)):
      let key = Array(LifeCrowd.manifests[0].identifier.utf8)
      isAwaited = reading.records.entries.contains {
        $0.name.kind == RecordTable.sessions.number && $0.name.key == key
      }
    case .launcher(.frozen(let app)): frozen.append(app)
    case .launcher(.thawed(let app)), .launcher(.ended(let app, _)): frozen.removeAll { $0 == app }
    case _: break
    }
  }

  private mutating func note(_ effect: Effect) {
    switch effect {
    case .client(LifeLedger.witness, .deliver(_, let update)): lastFix = update.fix ?? lastFix
    case .client(let client, .deliver(let ids, let update)):
      if update.flags.contains(.insufficientlyInUse) { refused = (client, ids) }
      if update.fix != nil { served = (client, ids) }
    case .log(_, let text):
      for manifest in LifeCrowd.manifests
      where text.hasPrefix("\(manifest.identifier): closed by a person") {
        closed.append(manifest.app)
      }
    case .launcher(let app, .start(false)): closed.removeAll { $0 == app }
    case _: break
    }
  }

  private func spoiled(_ effect: Effect, after event: Event) -> [Effect] {
    let isWaiting = if case .launcher(.thawed) = event { true } else { false }
    switch (flaw, effect) {
    case (.launchesNothing, .launcher(_, .start(true))), (.resumesNothing, .launcher(_, .thaw)),
      (.killsNothing, .launcher(_, .kill)), (.answersNothing, .client(_, .answer)),
      (.omitsTheNotice, .client(_, .phase(.suspending))):
      return []
    case (.omitsTheReason, .client(_, .deliver(_, let update)))
    where update.flags.contains(.insufficientlyInUse):
      return []
    case (.losesWhatWaits, .client(_, .deliver(_, let update)))
    where isWaiting && update.fix != nil:
      return []
    case (.repeatsWhatWaits, .client(_, .deliver(_, let update)))
    where isWaiting && update.fix != nil:
      return [effect, effect]
    case (.restampsWhatWaits, .client(let client, .deliver(let ids, let update))) where isWaiting:
      guard var fix = update.fix else { return [effect] }
      fix.time = fix.time + .milliseconds(10)
      return [.client(client, .deliver(ids, Update(fix: fix, flags: update.flags)))]
    case (.endsTheWrongApp, .launcher(let app, .kill)):
      return [.launcher(frozen.last { $0 != app && frozen.count > 1 } ?? app, .kill)]
    case (_, _): return [effect]
    }
  }

  private func add(to effects: inout [Effect], after event: Event) {
    switch (flaw, event) {
    case (.launchesTheClosed, .launcher(.ended(let app, _))) where closed.contains(app):
      effects.append(.launcher(app, .start(isForLocation: true)))
    case (.launchesTooSoon, .launcher(.connected(let running))):
      let app = LifeCrowd.manifests[0].app
      if isAwaited, !running.contains(where: { $0.app == app }) {
        effects.append(.launcher(app, .start(isForLocation: true)))
      }
    case (.retriesAtOnce, .launcher(.refused(let app, .start(true), _))):
      effects.append(.launcher(app, .start(isForLocation: true)))
    case (.losesTheOldest, .launcher(.thawed)):
      let waiting = effects.indices.filter {
        if case .client(_, .deliver(_, let update)) = effects[$0] {
          update.fix != nil
        } else {
          false
        }
      }
      if waiting.count > 1 { effects.remove(at: waiting[0]) }
    case (.deliversToTheSuspended, .launcher(.frozen(let app))):
      guard let served, apps[served.client] == app, let lastFix else { return }
      effects.append(.client(served.client, .deliver(served.sequences, Update(fix: lastFix))))
    case (.suspendsProgramsOfPersons, .client(_, .connected(let peer, _)))
    where !peer.isLaunched && !peer.isOperator:
      effects.append(.launcher(peer.app, .freeze))
    case (.resumesTooOften, .receiver):
      for app in frozen { effects.append(.launcher(app, .thaw)) }
    case (.deliversLate, _):
      guard let refused, let lastFix, effects.contains(.client(refused.client, .phase(.active)))
      else { return }
      effects.append(.client(refused.client, .deliver(refused.sequences, Update(fix: lastFix))))
    case (.suspendsTheForeground, _):
      for case .client(let client, .phase(.active)) in effects {
        if let app = apps[client] { effects.append(.launcher(app, .freeze)) }
      }
    case (_, _): break
    }
  }
}
