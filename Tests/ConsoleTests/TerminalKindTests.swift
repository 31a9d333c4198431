import Testing

@testable import Console

struct TerminalKindTests {
  @Test func unknownTerminalsAreDumb() {
    for name in [nil, "", "unknown", "network", "dialup", "dumb"] as [String?] {
      #expect(TerminalKind(name: name).isDumb)
      #expect(!TerminalKind(name: name).hasColors)
    }
    #expect(!TerminalKind(name: "vt102").isDumb)
  }

  @Test func colorsAreForTerminalsThatHaveThem() {
    for name in ["xterm", "xterm-256color", "linux", "screen.xterm", "tmux-256color"] {
      #expect(TerminalKind(name: name).hasColors)
      #expect(!TerminalKind(name: name, isColorDeclined: true).hasColors)
    }
    for name in ["vt100", "vt102", "vt220", "ansi-m"] {
      #expect(!TerminalKind(name: name).hasColors)
    }
  }
}
