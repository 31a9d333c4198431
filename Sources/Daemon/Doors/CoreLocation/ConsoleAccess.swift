import BinnacleModel
import BinnacleWire

/// The rights of a client of a console at this moment.
struct ConsoleAccess: Equatable {
  /// Whether the client has greeted with the token of an unlocked console.
  let isLifted: Bool
  /// Whether the client is a console that is unlocked: it may look for as long as one answer takes.
  let isUnlocked: Bool
  let settings: ConsoleSettings

  /// The reason why the client may not make a request; nil if the request is permitted.
  func refusal(of permission: ConsolePermission, isLasting: Bool) -> ServerMessage.Refusal? {
    let mayView = settings.view == .yes || (isUnlocked && !isLasting)
    let isPermitted =
      switch permission {
      case .always: true
      case .view: isLifted || mayView
      case .position:
        isLifted || (mayView && (!settings.hidesPositions || (isUnlocked && !isLasting)))
      case .unlocked: isLifted
      case .no: false
      }
    return isPermitted ? nil : ServerMessage.Refusal(.notPermitted, reason(permission))
  }

  private func reason(_ permission: ConsolePermission) -> String {
    switch permission {
    case .no: "no console on a serial line may do this"
    case .position where settings.view == .yes:
      "this console hides positions until it is unlocked, by 'unlock'"
    case .view, .position: "this console shows nothing until it is unlocked, by 'unlock'"
    case .always, .unlocked: "this console is locked; 'unlock' lets it change things"
    }
  }
}
