public import BinnacleBasics
public import BinnacleModel

/// A message from the daemon to a client; each message is one packet of the socket.
public enum ServerMessage: Equatable, Sendable {
  /// The answer to `hello`: the version for the rest of the connection.
  case welcome(version: UInt16, daemon: String)
  /// A refusal of the connection or of one request; with `isFinal` the daemon closes the connection.
  case refused(Refusal, isFinal: Bool)
  /// One update of one sequence.
  case update(SequenceID, Update)
  /// One update of several sequences.
  case updates([SequenceID], Update)
  /// The daemon ended a sequence.
  case updatesEnded(SequenceID, Refusal)
  /// The answer to a request for the status.
  case status(request: UInt32, Report)
  /// A piece of the answer to a request for the trace; `isLast` marks the last piece.
  case trace(request: UInt32, isLast: Bool, [UInt8])
  /// A piece of the answer to a request for the stored state; `isLast` marks the last piece.
  ///
  /// `Docs/SPEC-state.md` has the format of the records.
  case state(request: UInt32, isLast: Bool, [UInt8])
  /// The answer to a request for write statistics.
  case writes(request: UInt32, Report)
  /// The answer to a request for the sky.
  case sky(request: UInt32, Sky)
  /// A piece of the answer to a request for a list, one report for each row; `isLast` marks the last piece.
  case rows(request: UInt32, isLast: Bool, [Report])
  /// The rows of this request, which follow, have only the apps of the client's user.
  case ownApps(request: UInt32)
  /// The diagnostic of a session object, after its beginning and at each change.
  case sessionDiagnostic(SessionID, SessionFlags)
  /// The authorization of the app, to a client that has asked for it.
  case authorization(AuthorizationState)
  /// A press of a button, to a client that has asked for presses and whose app is in the foreground.
  case button(ButtonPress)
  /// The phase of the app, to a client that has asked for it.
  case phase(AppPhase)
  /// The outcome of a request that changes something, or the refusal of a request for the sky.
  case answered(request: UInt32, Refusal?)
  /// A piece of all entries of an app.
  ///
  /// It is the answer to `openDefaults`, and is sent again if the entries were unreadable before.
  case defaults(request: UInt32, isLast: Bool, [DefaultsEntry])
  /// Entries of the app that have changed.
  case defaultsChanged([DefaultsEntry])
  /// The outcome of `setDefaults`, stored if there is no refusal; or the refusal of `openDefaults`.
  case defaultsSettled(request: UInt32, Refusal?)
  /// The console is unlocked for this time: programs that greet with the token have the rights of an operator.
  case unlocked(request: UInt32, token: Secret, seconds: UInt16)
  /// The console is locked again.
  case locked

  /// The reason for refusing a connection or a request.
  public typealias Refusal = Fault<RefusalKind>

  public enum RefusalKind: UInt8, CaseIterable, Sendable {
    case versionUnsupported = 1
    case messageMalformed = 2
    case messageTooLong = 3
    case messageUnexpected = 4
    case clientsTooMany = 5
    case sequencesTooMany = 6
    case notPermitted = 7
    case stopping = 8
    case tooSlow = 9
    /// The change could not be written to the disk, so a power cut would lose it.
    case notKept = 10
    /// An app exceeds a limit: a key or a value is too large, or there are too many.
    case limitReached = 11
    /// The receiver does not provide the data at present.
    case unavailable = 12
    /// No app has the name in a request, or several apps have it.
    case appUnknown = 13
    /// The state of an app does not permit the change.
    case notPossible = 14
  }
}
