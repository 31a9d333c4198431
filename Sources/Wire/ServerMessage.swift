public import BinnacleBasics
public import BinnacleModel

/// What the daemon says to a client; one message is one packet of the socket.
public enum ServerMessage: Equatable, Sendable {
  /// The answer to `hello`: the version that both speak from now on.
  case welcome(version: UInt16, daemon: String)
  /// The connection, or one request of it, is refused; `isFinal` says that the daemon hangs up.
  case refused(Refusal, isFinal: Bool)
  /// One update of one sequence.
  case update(SequenceID, Update)
  /// The daemon ended a sequence.
  case updatesEnded(SequenceID, Refusal)
  /// The answer to `requestStatus`.
  case status(request: UInt32, Report)
  /// A piece of the answer to `requestTrace`; the last piece says so.
  case trace(request: UInt32, isLast: Bool, [UInt8])
  /// A piece of the answer to a request for what is kept; the last piece says so. Records as `Docs/SPEC-state.md` has
  /// them.
  case state(request: UInt32, isLast: Bool, [UInt8])
  /// The answer to a request for what was written.
  case writes(request: UInt32, Report)
  /// The answer to `requestSky`.
  case sky(request: UInt32, Sky)
  /// The answer to a request that changes something: done, or why not; or why there is no answer to `requestSky`.
  case answered(request: UInt32, Refusal?)
  /// A piece of all that an app keeps: the answer to `openDefaults`, and again when it could not be read before.
  case defaults(request: UInt32, isLast: Bool, [DefaultsEntry])
  /// These entries of the app are others now.
  case defaultsChanged([DefaultsEntry])
  /// What came of `setDefaults`, kept with no refusal; or why `openDefaults` is not answered.
  case defaultsSettled(request: UInt32, Refusal?)

  /// Why a connection or a request is refused.
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
    /// What was asked for could not be written, so that it would be gone after a power cut.
    case notKept = 10
    /// An app would keep too much: a key or a value is too large, or there are too many.
    case limitReached = 11
    /// The receiver does not tell what was asked for, at this moment.
    case unavailable = 12
  }
}
