internal import BinnacleModel

extension CLLocationUpdate {
  /// A sequence of live updates that ends only when its task is canceled.
  ///
  /// It goes on through denial, through the loss of the sky and through a restart of the daemon. It throws
  /// only when the daemon refuses to serve it at all, above all because the app has too many loops at once: 32 are
  /// served (`SequencesMax=` in `[Clients]` of the board's profile), the next one throws `CLError.network` with a
  /// description that says so, and the others go on.
  ///
  /// A daemon that is held (SIGSTOP, a debugger) cannot be told from one without news: loops wait in silence until it
  /// goes on, or until the service manager has missed its sign of life for 30 s and starts it anew. A sign of life
  /// between daemon and loops would wake a board that has nothing to say.
  public struct Updates: AsyncSequence, Sendable {
    /// What a turn of the loop gets.
    public typealias Element = CLLocationUpdate
    /// What ends a loop that is refused.
    public typealias Failure = any Error

    private let configuration: LiveConfiguration
    private let connection: @Sendable () -> DaemonConnection

    init(
      configuration: BinnacleModel.LiveConfiguration,
      connection: @escaping @Sendable () -> DaemonConnection
    ) {
      self.configuration = configuration
      self.connection = connection
    }

    private typealias LiveConfiguration = BinnacleModel.LiveConfiguration

    /// Makes an iterator with a service of its own, which starts with its first `next()`.
    public func makeAsyncIterator() -> Iterator {
      Iterator(UpdatesStorage(configuration: configuration, service: connection))
    }

    /// One walk through live updates.
    public struct Iterator: AsyncIteratorProtocol {
      private let lease: UpdatesStorage.Lease

      init(_ storage: UpdatesStorage) {
        lease = UpdatesStorage.Lease(storage)
      }

      /// The next update; nil once the task is canceled.
      public mutating func next() async throws -> CLLocationUpdate? {
        try await next(isolation: nil)
      }

      /// The next update; nil once the task is canceled.
      ///
      /// The answer comes back to the caller's actor without a detour.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> CLLocationUpdate? {
        try await lease.storage.next(isolation: actor).map { CLLocationUpdate($0) }
      }
    }
  }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
