/// When a console on a serial line may make a request: the fence behind the column `console` of the command table.
public enum ConsolePermission: Equatable, Sendable {
  /// Always: the request is about the console itself, or the engine judges what it shows.
  case always
  /// The request shows something: `View` decides.
  case view
  /// The request shows positions or satellites: `View` and `Privacy` decide.
  case position
  /// While the console is unlocked.
  case unlocked
  /// Never: the request is an app's, or reads or writes files.
  case no
}
