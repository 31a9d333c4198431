internal import BinnacleModel

/// Decides when a request of a manager is over.
///
///     new --in progress--> asked --not in progress--> over
///      \--not in progress--> over
///     asked --the connection ends--> interrupted
///     interrupted --in progress--> asked
///     interrupted --a diagnostic with reasons, or a change of the requested authorization or accuracy--> over
///
/// The daemon asks the user only while the app is in the foreground. After a reconnect in the background a request is
/// not in progress until the app comes to the foreground, although the user has not answered.
struct RequestMachine: Equatable {
  /// The subject of the question to the user.
  enum Subject: Equatable {
    case authorization
    /// Full accuracy for an app with reduced accuracy.
    case accuracy
  }

  private enum State: Equatable {
    /// The user has not been asked.
    case new
    /// The daemon asks, or will ask when the app comes to the foreground.
    case asked
    /// The connection has ended since, and the daemon does not ask yet.
    ///
    /// `before` is the authorization at the end of the connection. `isIdle`: the diagnostic of the new connection has come.
    case interrupted(before: AuthorizationState?, isIdle: Bool)
  }

  private let subject: Subject
  private var state = State.new

  init(_ subject: Subject) {
    self.subject = subject
  }

  /// Whether the user was asked.
  var wasAsked: Bool { state != .new }

  /// Takes a diagnostic of the request.
  ///
  /// - Parameters:
  ///   - flags: the diagnostic.
  ///   - authorization: the last known authorization of the app.
  /// - Returns: whether the request is over.
  mutating func arrived(_ flags: SessionFlags, authorization: AuthorizationState?) -> Bool {
    if flags.contains(.authorizationRequestInProgress) {
      state = .asked
      return false
    }
    guard case .interrupted(let before, _) = state, flags.isEmpty else { return true }
    state = .interrupted(before: before, isIdle: true)
    return authorizationChanged(to: authorization)
  }

  /// Takes the authorization of the app; returns whether the request is over.
  ///
  /// After a reconnect the daemon sends diagnostics first, so a new authorization ends a request that is not in progress.
  func authorizationChanged(to authorization: AuthorizationState?) -> Bool {
    guard case .interrupted(let before?, isIdle: true) = state, let authorization else {
      return false
    }
    return switch subject {
    case .authorization: before.authorization != authorization.authorization
    case .accuracy: !authorization.isReduced || !authorization.authorization.isGiven
    }
  }

  /// Takes the end of the connection.
  ///
  /// - Parameter authorization: the last known authorization of the app.
  mutating func disconnected(authorization: AuthorizationState?) {
    switch state {
    case .new: break
    case .asked: state = .interrupted(before: authorization, isIdle: false)
    case .interrupted(let before, _): state = .interrupted(before: before, isIdle: false)
    }
  }
}
