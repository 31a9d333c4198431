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
    let isTyped = isatty(STDIN_FILENO) == 1
    guard let pin = isTyped ? ask("New PIN: ") : readSecret() else {
      complain("console --set-pin: no PIN was read; nothing is changed")
      return .usage
    }
    if let reason = PINHash.refusal(of: pin) {
      complain(reason)
      return .usage
    }
    // A person may mistype what the terminal does not show.
    if isTyped, ask("The same PIN again: ")?.matches(pin) != true {
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

  /// Reads a line that the terminal does not show; nil without a line.
  private func ask(_ prompt: String) -> Secret? {
    let terminal = Terminal(borrowing: STDIN_FILENO)
    do throws(Errno) {
      let original = try terminal.settings()
      defer { try? terminal.set(original) }
      try terminal.setEcho(false)
      Output.speak(prompt)
      let line = readSecret()
      Output.speak("\n")
      return line
    } catch {
      complain("console --set-pin: the terminal cannot hide what is typed: \(error)")
      return nil
    }
  }

  private func readSecret() -> Secret? {
    readLine(strippingNewline: true).map { Secret($0) }
  }
}
