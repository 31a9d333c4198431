import BinnacleBasics
import BinnacleModel
import BinnaclePosix

/// `binnacle sky`: the satellites in view.
extension Commands {
  func sky(isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle sky", role: .operator)
    _ = connection.machine.request(.sky, at: Clock.now)
    return try ask(connection) { action in
      switch action {
      case .sky(let sky):
        return Output.print(isJSON ? SkyText(sky).json : SkyText(sky).table) ? .success : .failure
      case .answered(let refusal?):
        complain("sky: \(refusal.text)")
        return refusal.kind == .notPermitted ? .notPermitted : .serviceUnavailable
      default: return nil
      }
    }
  }
}
