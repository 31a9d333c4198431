import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// Prints the updates of `binnacle watch`, up to the requested number.
struct UpdatePrinter {
  private let order: WatchOrder
  private var count = 0
  private var complaint = ""

  init(_ order: WatchOrder) {
    self.order = order
  }

  /// Prints an update or an error; returns the exit status at the end, nil to continue.
  mutating func take(_ action: ClientMachine.Action) -> ExitStatus? {
    switch action {
    case .updates(_, let update):
      let text =
        order.isJSON
        ? UpdateText.json(update, receivedAt: Clock.monotonicNanoseconds) : UpdateText.line(update)
      guard Output.print(text) else { return .failure }
      count += 1
      return count == order.countMax ? .success : nil
    case .updatesEnded(_, let refusal):
      complain("the daemon ended the updates: \(refusal.text)")
      return refusal.kind == .notPermitted ? .notPermitted : .serviceUnavailable
    case .refused(let refusal):
      switch refusal.kind {
      case .notPermitted:
        complain("the daemon refused: \(refusal.text)")
        return .notPermitted
      case .stopping:
        complain("\(refusal.text); waiting for it")
        return nil
      default: break
      }
      if refusal.text != complaint { complain("the daemon refused: \(refusal.text)") }
      complaint = refusal.text
      return nil
    case .connect, .send, .hangUp, .status, .trace, .state, .writes, .sky, .rows, .ownApps,
      .answered, .ready, .sessionDiagnostic, .authorization, .button, .phase, .defaults,
      .defaultsChanged, .defaultsSettled, .unlocked, .locked:
      return nil
    }
  }
}
