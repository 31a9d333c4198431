/// When a verb may be used at a console on a serial line, whose person has a cable and no login.
public enum ConsoleUse: String, CaseIterable, Sendable {
  case yes
  /// After a PIN has unlocked the console; the daemon judges that.
  case unlocked
  /// Never: the verb reads or writes files, or is for the machine's administrator.
  case no

  /// The line of the help.
  var sentence: String {
    switch self {
    case .yes: "On a console on a serial line: yes."
    case .unlocked: "On a console on a serial line: after 'unlock'."
    case .no: "On a console on a serial line: no."
    }
  }
}

extension VerbTable {
  /// The part of the table for a console on a serial line: no verb that is not for it, and no option with a path.
  public var onConsole: VerbTable {
    VerbTable(
      program: program, summary: summary,
      verbs: verbs.filter { ($0.console ?? .no) != .no }.map { $0.onConsole },
      sharedOptions: sharedOptions.filter(\.isOnConsole), closing: closing,
      groups: groups)
  }
}
