import BinnaclePosix
import Console
import Glibc

/// `binnacle top`: the board at a glance, kept up to date.
extension Commands {
  func top() throws(Errno) -> ExitStatus {
    Signals.ignoreBrokenPipes()
    let kind = TerminalKind.own
    let hasScreen = !kind.isDumb && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let end: TopSession.End
    if hasScreen {
      do throws(SystemError) {
        end = try topScreen(kind)
      } catch {
        complain("top: \(error)")
        return .failure
      }
    } else {
      let signals = try Signals([.interrupt, .terminate, .hangUp])
      end = try TopListing(
        runtimeDirectory: runtimeDirectory, signals: signals, print: Output.write
      ).run()
    }
    guard case .refused(let reason) = end else { return .success }
    complain(reason)
    return .notPermitted
  }

  /// The view on the whole screen; the terminal has its settings back when this returns.
  private func topScreen(_ kind: TerminalKind) throws(SystemError) -> TopSession.End {
    do throws(Errno) {
      let signals = try Signals([
        .interrupt, .terminate, .hangUp, .windowChanged, .stop, .continued,
      ])
      let line: ConsoleLine
      do throws(SystemError) {
        line = try ConsoleLine.own(baud: nil)
      } catch {
        throw error.errno
      }
      return try TopSession(
        line, kind: kind, runtimeDirectory: runtimeDirectory, signals: signals
      ).run()
    } catch {
      throw SystemError(error, "standard input")
    }
  }
}
