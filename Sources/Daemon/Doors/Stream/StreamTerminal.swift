import BinnaclePosix

/// A pseudo-terminal with a fixed path that programs read like a receiver's serial port.
///
/// The kernel reports each process that opens or closes the terminal, so the daemon does not poll.
final class StreamTerminal {
  private let terminal: PseudoTerminal
  private let openWatch: OpenWatch
  private let path: String

  /// Makes the terminal and its link; an existing link is replaced.
  ///
  /// - Throws: the system error; `fileExists` if the path is not a link.
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

  /// Removes the link, unless another daemon has replaced it.
  deinit {
    guard let target = try? Files.linkTarget(path), target == terminal.farEndName else { return }
    try? Files.remove(path)
  }

  /// The descriptor to poll for reading.
  var descriptor: Int32 { openWatch.descriptor }

  var line: StreamLine { .terminal(terminal) }

  /// Handles the reported changes; returns whether a program has the terminal open.
  func hasReader() -> Bool {
    openWatch.drain()
    return terminal.isFarEndOpen
  }
}
