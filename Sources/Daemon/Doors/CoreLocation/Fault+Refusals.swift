import BinnacleBasics
import BinnacleModel
import BinnacleWire
import LocationEngine

/// Refusals of the engine as messages to clients.
extension Fault where Kind == ServerMessage.RefusalKind {
  init(_ refusal: SkyRefusal) {
    let kind: ServerMessage.RefusalKind =
      switch refusal.kind {
      case .notPermitted: .notPermitted
      case .unavailable: .unavailable
      }
    self.init(kind, refusal.text)
  }

  init(_ refusal: ConsentRefusal) {
    let kind: ServerMessage.RefusalKind =
      switch refusal.kind {
      case .appUnknown: .appUnknown
      case .notPossible: .notPossible
      case .notPermitted: .notPermitted
      }
    self.init(kind, refusal.text)
  }

  init(_ refusal: DefaultsRefusal) {
    let kind: ServerMessage.RefusalKind =
      switch refusal.kind {
      case .limitReached: .limitReached
      case .notPermitted: .notPermitted
      case .notKept: .notKept
      }
    self.init(kind, refusal.text)
  }
}
