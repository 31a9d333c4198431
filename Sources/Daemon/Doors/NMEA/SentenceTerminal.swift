import BinnaclePosix

/// A pseudo-terminal that programs read like a receiver's serial line, under a name of its own.
///
/// The kernel reports each process that opens or closes the far end, so that the daemon does not wake to look.
final class SentenceTerminal {
  private let terminal: PseudoTerminal
  private let openWatch: OpenWatch
  private let path: String

  /// Makes the terminal and its link, in place of a link that is there.
  ///
  /// - Throws: what the system answered; `fileExists` when something else than a link has the name.
  init(path: String, access: LocalListener.Access) throws(SystemError) {
    do throws(Errno) {
      terminal = try PseudoTerminal()
      openWatch = try OpenWatch(terminal.farEndName)
    } catch {
      throw SystemError(error, path)
    }
    self.path = path
    try Files.share(terminal.farEndName, groupID: access.groupID, mode: access.mode)
    try Files.makeLink(path, to: terminal.farEndName)
  }

  /// Removes the link, unless another daemon has put its own there.
  deinit {
    guard let target = try? Files.linkTarget(path), target == terminal.farEndName else { return }
    try? Files.remove(path)
  }

  /// What to poll for reading.
  var descriptor: Int32 { openWatch.descriptor }

  var line: SentenceLine { .terminal(terminal) }

  /// Takes what has happened; answers whether a program has the far end open.
  func hasReader() -> Bool {
    openWatch.drain()
    return terminal.isFarEndOpen
  }
}
