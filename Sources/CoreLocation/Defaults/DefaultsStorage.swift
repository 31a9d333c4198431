package import BinnacleBasics
package import BinnacleModel
internal import BinnaclePosix
internal import BinnacleWire
internal import Foundation
internal import Synchronization

/// The app's defaults in this process; ``DefaultsMachine`` decides, and the connection of the process transports.
///
/// The class is in this module and not in that of `DeviceDefaults`, because a process has one connection.
package final class DefaultsStorage: Sendable {
  /// The reason why a change is not stored.
  package typealias Failure = Fault<FailureKind>

  package enum FailureKind: Equatable, Sendable {
    case limitReached, notPermitted, notKept, daemonAbsent
  }

  /// A caller that waits until all changes up to a number are settled.
  private struct Waiter {
    var number: Int
    var change: UInt32
    var caller: CheckedContinuation<Void, Never>
  }

  private struct Watcher {
    var number: Int
    var continuation: AsyncStream<String>.Continuation
  }

  private struct Inside {
    var machine = DefaultsMachine()
    var unsent: [ClientMessage] = []
    var isServed = false
    var hasWaited = false
    /// The first refusal that `flush` has not reported yet.
    var failure: Failure?
    var waiters: [Waiter] = []
    var watchers: [Watcher] = []
    var lastNumber = 0

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    /// Whether callers need not wait for a change any longer.
    func isOver(_ change: UInt32) -> Bool {
      machine.isSettled(upTo: change) || machine.obstacle != nil
    }
  }

  /// The longest queue of changed keys for a busy loop; a full queue drops its oldest keys.
  private static let changesWaitingMax = 1_024

  private let inside = Mutex(Inside())
  /// Signaled when the entries are known, for threads that wait.
  private let answered = MonotonicCondition()
  private let connection: @Sendable () -> DaemonConnection

  init(connection: @escaping @Sendable () -> DaemonConnection) {
    self.connection = connection
  }

  // MARK: The app

  /// The value of a key; the first call waits for the daemon, at most this number of seconds.
  package func value(forKey key: String, within seconds: Double) -> DefaultsValue? {
    serve()
    let mustWait = inside.withLock { !$0.machine.isAnswered && !$0.hasWaited }
    if mustWait { waitForAnswer(within: seconds) }
    return inside.withLock { $0.machine[key] }
  }

  private func waitForAnswer(within seconds: Double) {
    let limit = Clock.monotonicNanoseconds + Int64(seconds * 1e9)
    answered.lock()
    defer { answered.unlock() }
    while !inside.withLock({ $0.machine.isAnswered || $0.hasWaited }) {
      guard answered.wait(until: limit) else {
        // No later call waits: an app that starts without a daemon is delayed once, and not at each value.
        inside.withLock { $0.hasWaited = true }
        answered.broadcast()
        return
      }
    }
  }

  /// Changes an entry.
  package func set(_ entry: DefaultsEntry) {
    serve()
    act { $0.set(entry) }
  }

  /// Reports that a value cannot be stored at all.
  package func refuse(_ key: String, _ text: String) {
    note(Failure(.limitReached, "'\(key)' is not kept: \(text)"))
  }

  /// Waits until all earlier changes are settled, at most this number of seconds.
  ///
  /// - Returns: the first refusal since the last call; nil when all changes are stored.
  package func flush(within seconds: Double) async -> Failure? {
    serve()
    let change = inside.withLock { $0.machine.lastChange }
    await withCheckedContinuation { caller in
      let number = inside.withLock { inside -> Int? in
        if inside.isOver(change) { return nil }
        let number = inside.nextNumber()
        inside.waiters.append(Waiter(number: number, change: change, caller: caller))
        return number
      }
      guard let number else { return caller.resume() }
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
        self?.timeIsOver(for: number)
      }
    }
    return inside.withLock { inside in
      defer { inside.failure = nil }
      if let failure = inside.failure { return failure }
      if inside.machine.isSettled(upTo: change) { return nil }
      return inside.machine.obstacle.map { Failure($0, "what was set waits") } ?? .daemonAbsent
    }
  }

  private func timeIsOver(for number: Int) {
    let waiter = inside.withLock { inside in
      inside.waiters.firstIndex { $0.number == number }.map { inside.waiters.remove(at: $0) }
    }
    waiter?.caller.resume()
  }

  /// The keys of changed entries, beginning with the next change.
  package func changes() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(DefaultsStorage.changesWaitingMax))
    let number = inside.withLock { inside in
      let number = inside.nextNumber()
      inside.watchers.append(Watcher(number: number, continuation: continuation))
      return number
    }
    continuation.onTermination = { [weak self] _ in
      self?.inside.withLock { $0.watchers.removeAll { $0.number == number } }
    }
    serve()
    return stream
  }

  // MARK: The connection

  /// Registers with the connection at the first use.
  private func serve() {
    let isFirst = inside.withLock { inside in
      defer { inside.isServed = true }
      return !inside.isServed
    }
    if isFirst { connection().serve(self) }
  }

  /// The messages to send, in order.
  func takeMessages() -> [ClientMessage] {
    inside.withLock { inside in
      defer { inside.unsent = [] }
      return inside.unsent
    }
  }

  func ready(version: UInt16) { act { $0.ready(version: version) } }

  func disconnected() {
    inside.withLock { inside in
      inside.machine.disconnected()
      inside.unsent = []
    }
  }

  func arrived(_ request: UInt32, isLast: Bool, _ entries: [DefaultsEntry]) {
    act { $0.arrived(request, isLast: isLast, entries) }
  }

  func changed(_ entries: [DefaultsEntry]) { act { $0.changed(entries) } }

  func settled(_ request: UInt32, _ refusal: ServerMessage.Refusal?) {
    act { $0.settled(request, refusal) }
  }

  // MARK: Acting

  /// Gives an input to the machine inside the lock and carries out its actions outside the lock.
  private func act(_ input: (inout DefaultsMachine) -> [DefaultsMachine.Action]) {
    let (actions, mustSend, callers, isNewlyAnswered) = inside.withLock { inside in
      let wasAnswered = inside.machine.isAnswered
      let actions = input(&inside.machine)
      let messages = actions.compactMap { if case .send(let message) = $0 { message } else { nil } }
      inside.unsent += messages
      // The failure is stored before the waiting callers resume, because they read it.
      for case .refused(let keys, let refusal) in actions where inside.failure == nil {
        inside.failure = Failure(refusal, "\(DefaultsStorage.list(keys)) is not kept")
      }
      let over = inside.waiters.filter { inside.isOver($0.change) }
      inside.waiters.removeAll { waiter in over.contains { $0.number == waiter.number } }
      let isNewlyAnswered = inside.machine.isAnswered && !wasAnswered
      return (actions, !messages.isEmpty, over.map(\.caller), isNewlyAnswered)
    }
    for action in actions {
      switch action {
      case .send: break
      case .changed(let key):
        for watcher in inside.withLock({ $0.watchers }) { watcher.continuation.yield(key) }
      case .refused(let keys, let refusal):
        say(Failure(refusal, "\(DefaultsStorage.list(keys)) is not kept"))
      }
    }
    for caller in callers { caller.resume() }
    if isNewlyAnswered {
      answered.lock()
      answered.broadcast()
      answered.unlock()
    }
    if mustSend { connection().serve(self) }
  }

  private func note(_ failure: Failure) {
    inside.withLock { $0.failure = $0.failure ?? failure }
    say(failure)
  }

  private func say(_ failure: Failure) {
    StandardError.write("DeviceDefaults: \(failure.text)")
  }

  private static func list(_ keys: [String]) -> String {
    let named = keys.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    return keys.count > 3 ? "\(named) and \(keys.count - 3) more" : named
  }
}

extension Fault where Kind == DefaultsStorage.FailureKind {
  fileprivate init(_ refusal: ServerMessage.Refusal, _ what: String) {
    let kind: DefaultsStorage.FailureKind =
      switch refusal.kind {
      case .limitReached: .limitReached
      case .notPermitted: .notPermitted
      case .notKept: .notKept
      case .versionUnsupported, .messageMalformed, .messageTooLong, .messageUnexpected,
        .clientsTooMany, .sequencesTooMany, .stopping, .tooSlow, .unavailable, .appUnknown,
        .notPossible:
        .daemonAbsent
      }
    self.init(kind, PlainText.line("\(what): \(refusal.text)"))
  }

  fileprivate static var daemonAbsent: DefaultsStorage.Failure {
    DefaultsStorage.Failure(
      .daemonAbsent,
      "the daemon does not answer in time; what was set is sent as long as this program runs")
  }
}

extension DefaultsStorage {
  private static let shared = PerProcess { DefaultsStorage { DaemonConnection.ofThisProcess } }

  /// The storage of this process.
  package static var ofThisProcess: DefaultsStorage { shared.value }
}
