import BinnacleModel
import BinnaclePosix
import Glibc
import PINHash
import Verbs

/// `binnacle console --set-pin`: sets the PIN that unlocks consoles on serial lines.
struct PINCommand {
  private let path: String
  /// Whether the file is that of the board's own daemon, which the service manager hands over.
  private let isOfSystem: Bool

  init(_ words: Arguments) {
    let directory = words.value("config")
    isOfSystem = directory == nil
    path = "\(directory ?? "/etc/binnacle")/\(PINHash.fileName)"
  }

  func run() -> ExitStatus {
    guard let pin = ask("New PIN: ") else { return .usage }
    if let reason = PINHash.refusal(of: pin) {
      complain(reason)
      return .usage
    }
    guard let again = ask("The same PIN again: ") else { return .usage }
    guard again.matches(pin) else {
      complain("the two PINs differ; nothing is changed")
      return .usage
    }
    guard let hash = PINHash(of: pin) else {
      complain("libcrypt refuses to hash the PIN; nothing is changed")
      return .internalError
    }
    do throws(SystemError) {
      try Files.writeAtomically(Array((hash.text + "\n").utf8), to: path, mode: 0o600)
    } catch {
      complain(
        "\(error); only the owner of the directory sets a PIN, with --config DIR an ordinary user")
      return [.accessDenied, .notPermitted].contains(error.errno) ? .notPermitted : .cannotCreate
    }
    let next =
      isOfSystem
      ? "The daemon takes it at its start: systemctl restart binnacled. Apps continue their updates."
      : "A daemon with the same --config takes it at once."
    return Output.print("\(path): the PIN is set. \(next)") ? .success : .failure
  }

  /// Reads a line that is not shown; nil without one.
  private func ask(_ prompt: String) -> Secret? {
    let terminal = Terminal(borrowing: STDIN_FILENO)
    do throws(Errno) {
      let original = try terminal.settings()
      defer { try? terminal.set(original) }
      try terminal.setEcho(false)
      Output.speak(prompt)
      let line = readLine(strippingNewline: true)
      Output.speak("\n")
      return line.map { Secret($0) }
    } catch {
      complain("console --set-pin: standard input is no terminal, and a PIN is typed at one")
      return nil
    }
  }
}
