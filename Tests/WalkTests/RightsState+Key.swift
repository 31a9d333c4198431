import BinnacleBasics
import BinnacleModel

@testable import LocationEngine
@testable import Simulation

extension RightsState {
  /// The bytes that tell a state from others; time limits count as present or absent.
  var key: [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(96)
    for client in table.clients {
      key.append(UInt8(client.id.number) << 1 | (client.peer.hasTerminal ? 1 : 0))
    }
    key.append(255)
    for prompt in table.prompts.prompts {
      key.append(RightsState.number(prompt.app))
      key.append(prompt.request.rawValue << 1 | (prompt.shownAt == nil ? 0 : 1))
    }
    key.append(255)
    for object in table.sessions.objects {
      key.append(RightsState.number(object.app) << 4 | UInt8(object.id.number))
    }
    key.append(255)
    for entry in table.away.entries {
      key.append(RightsState.number(entry.app) << 1 | (entry.leftAt == nil ? 0 : 1))
    }
    key.append(255)
    for process in model.away {
      key.append(UInt8(process.app) << 1 | (process.leftAt == nil ? 0 : 1))
    }
    key.append(255)
    for app in RightsWalk.apps.indices { append(app, to: &key) }
    key.append(
      RightsState.number(table.foreground.app) << 4 | RightsState.number(table.foreground.last))
    key.append(UInt8(model.front ?? 9) << 4 | UInt8(model.last ?? 9))
    key.append(
      (table.services.isOn ? 1 : 0) | (model.isOn ? 2 : 0) | (isLampSeenLit ? 4 : 0)
        | (isLampFaulty ? 8 : 0) | (model.keptUntil == nil ? 0 : 16)
        | (table.foreground.nextDeadline == nil ? 0 : 32))
    switch light.state {
    case .dark: key.append(0)
    case .asserting: key.append(1)
    case .lit: key.append(2)
    case .failed: key.append(3)
    }
    return key
  }

  private func append(_ index: Int, to key: inout [UInt8]) {
    let app = RightsWalk.apps[index]
    let grant = table.grants[app]
    key.append(
      (grant?.authorization.rawValue ?? 7) | (grant?.isAlwaysAnswered == true ? 8 : 0)
        | (grant?.isReduced == true ? 16 : 0) | (table.temporaryAccuracy.isGiven(app) ? 32 : 0)
        | (table.temporaryAccuracy.isRefused(app, "door") ? 64 : 0))
    let own = model.apps[index]
    key.append(
      (own.answer?.authorization.rawValue ?? 7) | (own.answer?.isAlwaysAnswered == true ? 8 : 0)
        | (own.isExact ? 16 : 0) | (own.graceEnd == nil ? 0 : 32)
        | (table.foreground.isInGrace(app) ? 64 : 0) | (model.wantsUpdates(index) ? 128 : 0))
    let sessions = table.sessions.apps.first { $0.app == app }
    for role in SessionRole.allCases {
      key.append(
        RightsState.number(sessions?[role].state) << 4
          | RightsState.number(own.holds[Int(role.rawValue)]))
    }
    for kind in [RecordTable.sessions, RecordTable.processSessions] {
      let value = kind.named(Array("\(app)".utf8)).flatMap { disk[$0] } ?? []
      key.append(UInt8(value.count))
      key += value.suffix(10)
    }
  }

  private static func number(_ app: AppID?) -> UInt8 {
    app.flatMap { RightsWalk.apps.firstIndex(of: $0) }.map(UInt8.init) ?? 9
  }

  private static func number(_ state: HeldSession.State?) -> UInt8 {
    switch state {
    case nil, .some(.none): 0
    case .pending: 1
    case .held: 2
    case .away: 3
    case .back: 4
    case .shared: 5
    case .awaited: 6
    }
  }

  private static func number(_ hold: RightsModel.Hold) -> UInt8 {
    switch hold {
    case .none: 0
    case .held: 1
    case .absent: 2
    case .returned: 3
    case .shared: 4
    case .awaited: 5
    }
  }
}
