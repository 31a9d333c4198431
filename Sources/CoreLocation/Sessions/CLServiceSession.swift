internal import BinnacleModel

/// The authorization that a feature of the app needs, for as long as the feature lives.
///
///     let session = CLServiceSession(authorization: .whenInUse)
///
/// The daemon asks the user for the authorization while the app is in the foreground. Several sessions add up. A session
/// is made while the app is in use; in the background it takes up the session of the process before, within
/// `RejoinWindow` (10 s) of the connection. `always` has an effect only while a session for it is held.
public final class CLServiceSession: Sendable {
  /// The authorization that a session needs.
  public enum AuthorizationRequirement: Hashable, Sendable {
    /// No particular authorization; the user is not asked.
    case none
    /// Locations while the app is in use.
    case whenInUse
    /// Locations at all times.
    case always
  }

  private let storage: SessionStorage

  /// Makes a session.
  public convenience init(authorization: AuthorizationRequirement) {
    self.init(authorization, purpose: nil) { DaemonConnection.ofThisProcess }
  }

  /// Makes a session that also needs full accuracy.
  ///
  /// - Parameters:
  ///   - authorization: the authorization.
  ///   - fullAccuracyPurposeKey: the key of the usage text, `TemporaryUsageDescription.KEY` in the manifest.
  public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
    self.init(authorization, purpose: fullAccuracyPurposeKey) { DaemonConnection.ofThisProcess }
  }

  init(
    _ authorization: AuthorizationRequirement, purpose: String?,
    service: @escaping @Sendable () -> DaemonConnection
  ) {
    // The daemon would take an empty key as none, and a key that is cut off as another one.
    let purpose = purpose.map { AppSession.isPurpose($0) ? $0 : AppSession.unknownPurpose }
    storage = SessionStorage(
      .service(authorization.inModel, fullAccuracyPurpose: purpose), service: service)
    storage.begin()
  }

  deinit {
    storage.end()
  }

  /// Ends the session for good.
  public func invalidate() { storage.end() }
}

extension CLServiceSession {
  /// The reasons why the session does not have its full effect at present.
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
    /// Whether the session could not begin, because the app is not in use.
    public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
    /// Whether the app needs a service session and has none.
    public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
    /// Whether the user was asked for authorization or full accuracy and has not answered yet.
    public var authorizationRequestInProgress: Bool {
      flags.contains(.authorizationRequestInProgress)
    }
    /// Whether the user has refused full accuracy, or the manifest has no usage text for its purpose.
    public var fullAccuracyDenied: Bool { flags.contains(.fullAccuracyDenied) }
    /// Whether the session needs `always`, and the user has given less.
    public var alwaysAuthorizationDenied: Bool { flags.contains(.alwaysAuthorizationDenied) }
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

extension CLServiceSession.AuthorizationRequirement {
  fileprivate var inModel: AppSession.Requirement {
    switch self {
    case .none: .none
    case .whenInUse: .whenInUse
    case .always: .always
    }
  }
}
