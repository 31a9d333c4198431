import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleWire

/// The names of apps for completion, from the daemon.
enum AppNames {
  /// A key may take as long as this; then it completes without names.
  static let timeMax = Interval.milliseconds(300)

  /// Asks the daemon for the list of apps, over a connection of its own.
  static func ask(runtimeDirectory: String?, rights: DaemonWatch.Rights) -> [String] {
    let deadline = Clock.now + timeMax
    var client = DaemonClient(program: "binnacle console", role: rights.role) {
      RuntimeDirectory.socketPath(in: RuntimeDirectory.ofClient(option: runtimeDirectory))
    }
    _ = client.machine.request(.consent(.apps), at: Clock.now)
    client.start(at: Clock.now)
    var names: [String] = []
    var poll = Poll()
    while Clock.now < deadline {
      for event in client.takeEvents() {
        switch event {
        case .message(.rows(let rows, let isLast)):
          names += rows.compactMap { $0[.rowID] }.map { PlainText.line($0) }
          if isLast { return names }
        case .message(.refused), .connectFailed, .hungUp: return names
        case .message: continue
        }
      }
      poll.removeAll()
      if let descriptor = client.descriptor {
        poll.set(descriptor, client.wantsToWrite ? [.reading, .writing] : .reading)
      }
      let limit = earlier(client.nextDeadline(at: Clock.now), deadline)
      guard (try? poll.wait(until: limit)) != nil else { return names }
      if let descriptor = client.descriptor {
        let readiness = poll.readiness(of: descriptor)
        if !readiness.isEmpty { client.ready(readiness, at: Clock.now) }
      }
      client.deadlineReached(at: Clock.now)
    }
    return names
  }
}
