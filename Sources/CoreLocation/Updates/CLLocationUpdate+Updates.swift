internal import BinnacleModel

extension CLLocationUpdate {
  /// A sequence of live updates that ends only when its task is canceled.
  ///
  /// The sequence continues through denial, loss of signal and a restart of the daemon. It throws only if the daemon
  /// refuses the sequence, in most cases because the app has too many loops. The daemon serves 32 loops
  /// (`SequencesMax=` in `[Clients]` of the board's profile). Each further loop throws `CLError.network` with a
  /// description of the limit, and the other loops continue.
  ///
  /// A stopped daemon (SIGSTOP, a debugger) looks like a daemon without news. Loops wait until the daemon continues, or
  /// until the service manager has missed the watchdog signal for 30 s and restarts the daemon. Keep-alive messages
  /// between daemon and loops would wake an idle board.
  public struct Updates: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = CLLocationUpdate
    /// The error that ends a refused sequence.
    public typealias Failure = any Error

    private let configuration: LiveConfiguration
    private let options: SequenceOptions
    private let connection: @Sendable () -> DaemonConnection

    init(
      configuration: BinnacleModel.LiveConfiguration, options: SequenceOptions = [],
      connection: @escaping @Sendable () -> DaemonConnection
    ) {
      self.configuration = configuration
      self.options = options
      self.connection = connection
    }

    private typealias LiveConfiguration = BinnacleModel.LiveConfiguration

    /// Makes an iterator with its own service, which starts with the first `next()`.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        UpdatesStorage(configuration: configuration, options: options, service: connection))
    }

    /// An iterator over live updates.
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
      /// The result arrives on the caller's actor without an intermediate hop.
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
