import BinnaclePosix

/// The transport of one reader: the daemon's end of a pseudo-terminal, or a connection of a stream socket.
enum StreamLine {
  case terminal(PseudoTerminal)
  case stream(LocalStream)

  var descriptor: Int32 {
    switch self {
    case .terminal(let terminal): terminal.descriptor
    case .stream(let stream): stream.descriptor
    }
  }

  /// The input of a reader after the bytes that were discarded.
  enum Input {
    /// Further bytes may come.
    case open
    /// The reader has closed its direction of the socket, as `nc -N` does, and still reads.
    case ended
    /// The reader has disconnected.
    case gone
  }

  /// Discards the reader's input: gpsd probes a device with commands, and the daemon accepts no commands from readers.
  func discardInput() -> Input {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    // The input of a reader that writes without end is read in several turns.
    for _ in 0..<StreamLine.readsPerTurnMax {
      do throws(Errno) {
        let count =
          switch self {
          case .terminal(let terminal): try terminal.read(into: &buffer)
          case .stream(let stream): try stream.read(into: &buffer)
          }
        guard let count else { return .open }
        if count == 0 { return isAbandoned ? .gone : .ended }
      } catch {
        return .gone
      }
    }
    return .open
  }

  /// Whether a line whose input has ended has no reader any more.
  private var isAbandoned: Bool {
    switch self {
    // The end of a terminal's input says that no program has it open.
    case .terminal: true
    case .stream(let stream): stream.isAbandoned
    }
  }

  /// Writes as many bytes as possible; nil if the reader has disconnected.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    do throws(Errno) {
      return switch self {
      case .terminal(let terminal): try terminal.write(bytes) ?? 0
      case .stream(let stream): try stream.write(bytes) ?? 0
      }
    } catch {
      return nil
    }
  }

  /// Discards what the reader has not read, if programs of several users read the line.
  ///
  /// - Returns: whether nothing is left; a program may have locked the terminal for itself.
  func discardUnread() -> Bool {
    switch self {
    case .terminal(let terminal): (try? terminal.discardUnread()) != nil
    case .stream: true
    }
  }

  private static let readsPerTurnMax = 16
}
