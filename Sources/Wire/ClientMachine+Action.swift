public import BinnacleBasics
public import BinnacleModel

extension ClientMachine {
  /// An order to the owner of the connection.
  public enum Action: Equatable, Sendable {
    /// Connect to the daemon's socket; answered by `connected` or `connectFailed`.
    case connect
    case send([UInt8])
    case hangUp
    /// An update for each of these sequences.
    case updates([SequenceID], Update)
    /// The daemon ended a sequence; it is not opened again.
    case updatesEnded(SequenceID, ServerMessage.Refusal)
    /// The daemon refused the connection or a request; the machine retries a refused connection later.
    case refused(ServerMessage.Refusal)
    case status(Report)
    case trace([UInt8], isLast: Bool)
    case state([UInt8], isLast: Bool)
    case writes(Report)
    case sky(Sky)
    /// Rows of a list.
    case rows([Report], isLast: Bool)
    /// The rows that follow have only the apps of the client's user.
    case ownApps
    /// The outcome of a request without data; a refusal of a request for the sky arrives here, too.
    case answered(ServerMessage.Refusal?)
    /// The daemon has answered the greeting; this version is valid until the connection ends.
    case ready(version: UInt16)
    /// The diagnostic of a session object.
    case sessionDiagnostic(SessionID, SessionFlags)
    /// The authorization of the app.
    case authorization(AuthorizationState)
    /// A press of a button.
    case button(ButtonPress)
    /// The phase of the app.
    case phase(AppPhase)
    /// A message for ``DefaultsMachine``.
    case defaults(request: UInt32, isLast: Bool, [DefaultsEntry])
    case defaultsChanged([DefaultsEntry])
    case defaultsSettled(request: UInt32, ServerMessage.Refusal?)
    /// The console is unlocked: programs that greet with the token have the rights of an operator.
    case unlocked(token: Secret, seconds: UInt16)
    /// The console is locked again.
    case locked
  }
}
