import BinnacleBasics
import BinnacleModel

/// The actions of buttons.
extension Engine {
  /// Carries out the actions of the gestures since the last event.
  mutating func takePresses(at now: Instant, into effects: inout [Effect]) {
    for press in panel.takePresses() {
      switch press.action {
      case .none: continue
      case .services:
        setServices(isOn: !apps.services.isOn, for: .button(press.button), at: now, into: &effects)
      case .allow, .deny:
        answerPrompt(
          isAllowed: press.action == .allow, button: press.button, at: now, into: &effects)
      case .home: pressHome(button: press.button, at: now, into: &effects)
      case .quit, .mark:
        effects.append(
          .log(
            .notice,
            "button \(press.button): the action '\(press.action.rawValue)' is not yet available in this version"
          ))
      }
    }
  }
}
