internal import BinnacleModel

/// Keeps the app in use while it is in the background, and lights the board's indicator as long as that is so.
///
///     let session = CLBackgroundActivitySession()
///     for try await update in CLLocationUpdate.liveUpdates() { … }
///
/// The session begins only while the app is in the foreground, is authorized, and has `BackgroundModes=location` in its
/// manifest; ``diagnostics`` has the reasons while it has not begun. It ends with ``invalidate()``, or when the last
/// session object of the app is gone. If the process ends in another way, or the power fails, the next process takes the
/// session up again by a new object within `RejoinWindow` (10 s) of its connection to the daemon.
public final class CLBackgroundActivitySession: Sendable {
  private let storage: SessionStorage

  /// Makes a session, which begins as soon as the app may begin it.
  public convenience init() {
    self.init { DaemonConnection.ofThisProcess }
  }

  init(service: @escaping @Sendable () -> DaemonConnection) {
    storage = SessionStorage(.backgroundActivity, service: service)
    storage.begin()
  }

  deinit {
    storage.end()
  }

  /// Ends this object's hold for good; with the last object the session ends, and the indicator is dark.
  public func invalidate() { storage.end() }
}

extension CLBackgroundActivitySession {
  /// The reasons why the session has no effect at present; without any reason it has its effect.
  public struct Diagnostic: Sendable {
    private let flags: SessionFlags

    init(_ flags: SessionFlags) {
      self.flags = flags
    }

    /// Whether location is denied to the app, by the user or because location services are off.
    public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
    /// Whether location services are off for the whole board; ``authorizationDenied`` is set, too.
    public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
    /// Whether a policy denies location and the user cannot change the policy.
    public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
    /// Whether the session could not begin, because the app is not in the foreground.
    public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
    /// Whether the app needs a service session and has none.
    public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
    /// Whether the user was asked for authorization and has not answered yet.
    public var authorizationRequestInProgress: Bool {
      flags.contains(.authorizationRequestInProgress)
    }
  }

  /// Diagnostics of a session: the present one first, and then each change; the sequence ends with the session.
  public final class Diagnostics: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Diagnostic
    /// The error type of Apple's sequence; this sequence does not throw.
    public typealias Failure = any Error

    private let storage: SessionStorage

    init(_ storage: SessionStorage) {
      self.storage = storage
    }

    /// An iterator over diagnostics.
    public struct Iterator: AsyncIteratorProtocol {
      var base: AsyncStream<SessionFlags>.Iterator

      /// The next diagnostic; nil after the end of the session, or once the task is canceled.
      public mutating func next() async throws -> Diagnostic? {
        await base.next().map { Diagnostic($0) }
      }
    }

    /// Makes an iterator that begins with the present diagnostic.
    public func makeAsyncIterator() -> Iterator {
      Iterator(base: storage.diagnostics().makeAsyncIterator())
    }
  }

  /// The diagnostics of this session.
  public var diagnostics: Diagnostics { Diagnostics(storage) }
}
