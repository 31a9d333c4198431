import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import LaunchWire

/// Finds the apps of new peers; the launcher helps with the programs that the daemon cannot see.
///
/// A peer that waits for the launcher is neither read nor counted as a client. After a second without an answer, the program
/// of the peer is unknown.
final class PeerIdentification {
  /// A new connection.
  struct Arrival {
    let socket: LocalSocket
    let credentials: LocalSocket.Peer
  }

  private struct Waiting {
    let arrival: Arrival
    let question: UInt32
    /// The connection to the launcher that the question was asked on.
    let generation: Int
    let end: Instant
  }

  static let answerTimeMax = Interval.seconds(1)
  /// The program of a peer beyond this number is unknown.
  static let waitingMax = 64

  /// Finds the app of a peer without the launcher.
  typealias Finder = (LocalSocket, _ userID: UInt32, AppRegistry) -> AppRegistry.Finding

  private let launcher: LauncherConnection?
  private let find: Finder
  private var waiting: [Waiting] = [] { didSet { nextDeadline = waiting.map(\.end).min() } }
  private(set) var nextDeadline: Instant?

  init(
    _ launcher: LauncherConnection?, find: @escaping Finder = { $2.finding(at: $0, userID: $1) }
  ) {
    self.launcher = launcher
    self.find = find
  }

  /// Finds the app of a new peer.
  ///
  /// - Parameters:
  ///   - arrival: the connection.
  ///   - apps: the apps with manifests.
  ///   - now: the instant.
  /// - Returns: nil if the peer waits for the launcher's answer.
  func finding(
    of arrival: Arrival, among apps: AppRegistry, at now: Instant
  ) -> AppRegistry.Finding? {
    let userID = arrival.credentials.userID
    let finding = find(arrival.socket, userID, apps)
    if let launched = launchedApp(of: arrival.socket, userID: userID, among: apps) {
      return .init(app: launched, program: finding.program, isLaunched: true)
    }
    guard case .unresolved = finding.app, waiting.count < PeerIdentification.waitingMax,
      let launcher, let question = launcher.ask(about: arrival.socket, at: now)
    else { return finding }
    waiting.append(
      Waiting(
        arrival: arrival, question: question, generation: launcher.generation,
        end: now + PeerIdentification.answerTimeMax))
    return nil
  }

  /// The app that the launcher has started and that a peer's process belongs to; nil if there is none.
  func launchedApp(
    of socket: LocalSocket, userID: UInt32, among apps: AppRegistry
  ) -> AppID? {
    launcher?.launchedApp(of: socket) { apps.hasUser(userID, $0) }.map { .listed($0) }
  }

  /// Reads the launcher's news, so that an app that connects is known as launched.
  func readNews(at now: Instant) { launcher?.receive(at: now) }

  /// The time until which a new client may be an app that the launcher has not yet reported; nil if it has reported all.
  func newsDue(at now: Instant) -> Instant? { launcher?.reportsUntil(at: now) }

  /// Connects to a launcher that may have made its socket.
  func connect(at now: Instant) { launcher?.connect(at: now) }

  /// The peers whose programs are now known, or remain unknown because the launcher has no answer.
  func answersArrived(
    among apps: AppRegistry, at now: Instant
  ) -> [(Arrival, AppRegistry.Finding)] {
    guard let launcher, !waiting.isEmpty else { return [] }
    launcher.receive(at: now)
    var found: [(Arrival, AppRegistry.Finding)] = []
    for answer in launcher.takeAnswers() {
      guard let index = waiting.firstIndex(where: { $0.question == answer.number }) else {
        continue
      }
      let arrival = waiting.remove(at: index).arrival
      found.append((arrival, PeerIdentification.finding(answer, arrival, among: apps)))
    }
    return found + takeWaiting { $0.generation != launcher.generation }
  }

  /// The peers that the launcher has not identified in time.
  func deadlineReached(at now: Instant) -> [(Arrival, AppRegistry.Finding)] {
    takeWaiting { $0.end <= now }
  }

  private func takeWaiting(
    where isTaken: (Waiting) -> Bool
  ) -> [(Arrival, AppRegistry.Finding)] {
    let taken = waiting.filter(isTaken)
    waiting.removeAll(where: isTaken)
    return taken.map {
      ($0.arrival, .init(app: .unresolved(userID: $0.arrival.credentials.userID)))
    }
  }

  private static func finding(
    _ answer: LauncherConnection.ProgramAnswer, _ arrival: Arrival, among apps: AppRegistry
  ) -> AppRegistry.Finding {
    let userID = arrival.credentials.userID
    switch answer.finding {
    case .program(let path, let device, let file, let changeTimeNanoseconds):
      let version = FileVersion(
        file: FileIdentity(device: device, number: file),
        changeTimeNanoseconds: changeTimeNanoseconds)
      let program = PeerProcess.Program(path: path, version: version)
      return apps.finding(userID: userID, program: program)
    case .unknown, .done, .failed: return .init(app: .unresolved(userID: userID))
    }
  }
}
