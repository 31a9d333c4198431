package import BinnacleModel
internal import Synchronization

/// A session object's state between the connection and the app: the last diagnostic, and the loops that read them.
///
/// Each loop gets the last diagnostic first, and then each change.
package final class SessionStorage: Sendable {
  /// News for the owner of an object.
  enum News: Sendable {
    case diagnostic(SessionFlags)
    /// The connection has ended.
    case disconnected
  }

  private struct Inside {
    var last: SessionFlags?
    var hasEnded = false
    var readers: [Int: AsyncStream<SessionFlags>.Continuation] = [:]
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
    let readers = inside.withLock { inside -> [AsyncStream<SessionFlags>.Continuation]? in
      if inside.hasEnded { return nil }
      inside.hasEnded = true
      defer { inside.readers = [:] }
      return Array(inside.readers.values)
    }
    guard let readers else { return }
    service().close(self)
    for reader in readers { reader.finish() }
  }

  /// The daemon has sent a diagnostic.
  func arrived(_ flags: SessionFlags) {
    let readers = inside.withLock { inside in
      inside.last = flags
      return Array(inside.readers.values)
    }
    for reader in readers { reader.yield(flags) }
    listener?(.diagnostic(flags))
  }

  /// The connection has ended; the object is made again with the next one.
  func disconnected() { listener?(.disconnected) }

  /// The diagnostics for one loop.
  package func diagnostics() -> AsyncStream<SessionFlags> {
    let (stream, reader) = AsyncStream.makeStream(
      of: SessionFlags.self, bufferingPolicy: .bufferingNewest(SessionStorage.waitingMax))
    inside.withLock { inside in
      if let last = inside.last { reader.yield(last) }
      if inside.hasEnded { return reader.finish() }
      inside.lastReader += 1
      let number = inside.lastReader
      inside.readers[number] = reader
      reader.onTermination = { [weak self] _ in
        self?.inside.withLock { _ = $0.readers.removeValue(forKey: number) }
      }
    }
    return stream
  }
}
