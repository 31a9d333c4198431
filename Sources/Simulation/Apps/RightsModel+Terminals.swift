import BinnacleModel

/// The terminals of processes.
extension RightsModel {
  /// The terminal of a process was closed.
  mutating func terminalLost(_ client: ClientID) {
    guard let place = processes.firstIndex(where: { $0.client == client }) else { return }
    processes[place].hasTerminal = false
    settle()
  }
}
