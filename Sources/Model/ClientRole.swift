/// The role of a program, as the greeting of the program asks.
public enum ClientRole: Equatable, Hashable, Codable, Sendable {
  /// An app: the daemon identifies it by its user and its program.
  case app
  /// A tool of an operator: gets locations without the answer of a person. For users that may operate only.
  case `operator`
  /// A script that is the app with this identifier: for the user of the app's manifest, if the manifest has `Script=yes`.
  case script(String)
  /// A console, or a command of a console: reads the state of the service and may change nothing.
  ///
  /// With the token of an unlocked console the client has the rights of an operator until the console is locked.
  case console(token: Secret?)
}
