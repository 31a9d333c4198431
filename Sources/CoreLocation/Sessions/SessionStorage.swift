package import BinnacleModel
internal import Synchronization

/// A session object's state between the connection and the app: the present diagnostic, and the loops that read them.
///
/// Each loop gets the present diagnostic first, and then each change. While the daemon is away there is no present
/// diagnostic: a new loop gets the next one that arrives.
package final class SessionStorage: Sendable {
  /// News for the owner of an object.
  enum News: Sendable {
    case diagnostic(SessionFlags)
    /// The connection has ended.
    case disconnected
  }

  /// A loop that reads diagnostics.
  private struct Reader {
    let continuation: AsyncStream<SessionFlags>.Continuation
    /// The last diagnostic for the loop.
    var last: SessionFlags?
  }

  private struct Inside {
    /// The last diagnostic of the present connection; nil before it, and while the daemon is away.
    var present: SessionFlags?
    var hasEnded = false
    var readers: [Int: Reader] = [:]
    var lastReader = 0
  }

  package let session: AppSession
  private let service: @Sendable () -> DaemonConnection
  /// Is called on the connection's thread with all news, in order.
  private let listener: (@Sendable (News) -> Void)?
  private let inside = Mutex(Inside())

  /// Diagnostics that wait for a slow loop; the oldest are dropped.
  private static let waitingMax = 16

  init(
    _ session: AppSession, service: @escaping @Sendable () -> DaemonConnection,
    listener: (@Sendable (News) -> Void)? = nil
  ) {
    self.session = session
    self.service = service
    self.listener = listener
  }

  /// A session of this process.
  package convenience init(_ session: AppSession) {
    self.init(session) { DaemonConnection.ofThisProcess }
  }

  /// Makes the session at the daemon.
  package func begin() { service().open(self) }

  /// Whether the session has ended.
  package var isOver: Bool { inside.withLock { $0.hasEnded } }

  /// Ends the session, once.
  package func end() {
    let readers = inside.withLock { inside -> [Reader]? in
      if inside.hasEnded { return nil }
      inside.hasEnded = true
      defer { inside.readers = [:] }
      return Array(inside.readers.values)
    }
    guard let readers else { return }
    service().close(self)
    for reader in readers { reader.continuation.finish() }
  }

  /// The daemon has sent a diagnostic; after each reconnection it sends the same one again.
  func arrived(_ flags: SessionFlags) {
    let readers = inside.withLock { inside -> [Reader] in
      inside.present = flags
      let changed = inside.readers.filter { $0.value.last != flags }
      for number in changed.keys { inside.readers[number]?.last = flags }
      return Array(changed.values)
    }
    for reader in readers { reader.continuation.yield(flags) }
    listener?(.diagnostic(flags))
  }

  /// The connection has ended; the object is made again with the next one.
  func disconnected() {
    inside.withLock { $0.present = nil }
    listener?(.disconnected)
  }

  /// The diagnostics for one loop.
  package func diagnostics() -> AsyncStream<SessionFlags> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SessionFlags.self, bufferingPolicy: .bufferingNewest(SessionStorage.waitingMax))
    inside.withLock { inside in
      if inside.hasEnded { return continuation.finish() }
      if let present = inside.present { continuation.yield(present) }
      inside.lastReader += 1
      let number = inside.lastReader
      inside.readers[number] = Reader(continuation: continuation, last: inside.present)
      continuation.onTermination = { [weak self] _ in
        self?.inside.withLock { _ = $0.readers.removeValue(forKey: number) }
      }
    }
    return stream
  }
}
