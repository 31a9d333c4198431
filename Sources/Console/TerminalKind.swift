import BinnaclePosix

/// The kind of a terminal, by its name in the terminfo database.
public struct TerminalKind: Equatable, Sendable {
  /// The name, such as `vt102`; `dumb` for a terminal that is unknown.
  public let name: String
  /// Whether colors were declined: the person has set `NO_COLOR` (no-color.org).
  private let isColorDeclined: Bool

  public init(name: String?, isColorDeclined: Bool = false) {
    let name = name ?? ""
    self.name = ["", "unknown", "network", "dialup"].contains(name) ? "dumb" : name
    self.isColorDeclined = isColorDeclined
  }

  /// The kind that `TERM` names.
  public static var own: TerminalKind {
    TerminalKind(
      name: Environment.value("TERM"), isColorDeclined: Environment.value("NO_COLOR") != nil)
  }

  /// Whether the terminal understands escape sequences.
  public var isDumb: Bool { name == "dumb" }

  /// Whether the terminal has colors, as those whose entries in terminfo have `setaf`.
  public var hasColors: Bool {
    let families = ["xterm", "linux", "screen", "tmux", "rxvt", "vte", "konsole", "alacritty"]
    return !isColorDeclined
      && (families.contains { name.hasPrefix($0) } || name.hasSuffix("color"))
  }
}
