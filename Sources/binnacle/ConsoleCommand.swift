import BinnacleBasics
import BinnaclePosix
import Board
import Console
import Verbs

/// `binnacle console`: commands at a terminal or on a serial line.
struct ConsoleCommand {
  /// The pause before a serial line that has gone is opened again.
  private static let reopenPause = Interval.seconds(1)

  private let device: String?
  private let baud: UInt32?
  private let runtimeDirectory: String?
  /// Whether the console begins without the rights of its user.
  private let isLocked: Bool

  init(_ words: Arguments, runtimeDirectory: String?) throws(Arguments.UsageError) {
    isLocked = words.has("locked")
    let device = words.value("device")
    self.device = device == "-" ? nil : device
    baud = try words.integer("speed", in: UInt32(300)...4_000_000)
    self.runtimeDirectory = runtimeDirectory
  }

  func run() throws(Errno) -> ExitStatus {
    let signals = try Signals([.interrupt, .terminate, .hangUp, .windowChanged])
    Signals.ignoreBrokenPipes()
    guard let device else { return try runHere(signals) }
    var complaint = ""
    while true {
      do throws(SystemError) {
        let line = try ConsoleLine.device(device, baud: baud ?? ConsoleLine.speedUsual)
        complaint = ""
        switch try session(line, signals) {
        // The next person finds a new session, as after a login.
        case .left, .lineGone: break
        case .stopped: return .success
        }
      } catch {
        // Only root can change that, as the unit does before each start.
        if [.accessDenied, .notPermitted].contains(error.errno) {
          complain("\(error)")
          return .notPermitted
        }
        if "\(error)" != complaint { complain("\(error); waiting for the device") }
        complaint = "\(error)"
      }
      if try isStopped(signals) { return .success }
    }
  }

  /// A session at the terminal of standard input.
  private func runHere(_ signals: Signals) throws(Errno) -> ExitStatus {
    let line: ConsoleLine
    do throws(SystemError) {
      line = try ConsoleLine.own(baud: baud)
    } catch {
      guard [.accessDenied, .notPermitted].contains(error.errno) else {
        complain("console: standard input is no terminal; --device names a serial line")
        return .usage
      }
      complain("console: \(error)")
      return .notPermitted
    }
    do throws(SystemError) {
      _ = try session(line, signals)
      return .success
    } catch {
      complain("\(error)")
      return .failure
    }
  }

  private func session(
    _ line: ConsoleLine, _ signals: Signals
  ) throws(SystemError) -> ConsoleSession.End {
    let now = Clock.now
    do throws(Errno) {
      let session = try ConsoleSession(
        line, name: name, isLocked: isLocked, kind: TerminalKind.own.name, verbs: verbs,
        runtimeDirectory: runtimeDirectory,
        history: CommandHistory(path: CommandHistory.path(), at: now), signals: signals)
      return session.run()
    } catch {
      throw SystemError(error, "console")
    }
  }

  /// The name of the console in the daemon's log.
  private var name: String {
    guard let device else { return "binnacle console" }
    let short = device.hasPrefix("/dev/") ? String(device.dropFirst(5)) : device
    return "binnacle console on \(short)"
  }

  /// Waits before the next attempt, and returns true if the program must end.
  private func isStopped(_ signals: Signals) throws(Errno) -> Bool {
    let deadline = Clock.now + ConsoleCommand.reopenPause
    var poll = Poll()
    poll.set(signals.descriptor, .reading)
    while try poll.wait(until: deadline) > 0 {
      while let signal = signals.next() {
        if signal == .terminate || signal == .interrupt { return true }
      }
    }
    return false
  }

  /// The names that `settings` takes.
  private static var settingNames: [String] {
    let settings = Profile.effectiveSettings(of: [])
    let sections = settings.map(\.section).reduce(into: [String]()) { names, name in
      if names.last != name { names.append(name) }
    }
    return sections + settings.map { "\($0.section).\($0.key)" }
  }

  /// The commands of this console: a line leads to a person without a login, who gets no files of the board.
  private var verbs: ConsoleVerbs {
    let whole = BinnacleVerbs.table
    let table = device == nil && !isLocked ? whole : whole.onConsole
    return ConsoleVerbs(
      meaning: { words in
        if words == ["help"] { return .show(table.page) }
        if words == ["help", "all"] { return .show(table.help) }
        do {
          switch try table.request(words) {
          case .show(let text): return .show(text)
          case .run(let verb, _): return .run(isInteractive: verb.isInteractive)
          }
        } catch {
          if case .run? = try? whole.request(words) {
            return .wrong("this is not for a console on a serial line; 'help' lists what is")
          }
          return .wrong("\(error)")
        }
      }, offers: { table.offers($0) }, settings: { ConsoleCommand.settingNames })
  }
}
