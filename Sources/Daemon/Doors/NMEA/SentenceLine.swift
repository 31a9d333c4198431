import BinnaclePosix

/// The transport of one reader: the near end of a pseudo-terminal, or a connection of a stream socket.
enum SentenceLine {
  case terminal(PseudoTerminal)
  case stream(LocalStream)

  var descriptor: Int32 {
    switch self {
    case .terminal(let terminal): terminal.descriptor
    case .stream(let stream): stream.descriptor
    }
  }

  /// Throws away what the reader writes: gpsd probes a device with orders, and the receiver takes none of a reader's.
  ///
  /// - Returns: whether the reader is still there.
  func discardInput() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    // A reader that writes without end is left to later turns.
    for _ in 0..<SentenceLine.readsPerTurnMax {
      do throws(Errno) {
        let count =
          switch self {
          case .terminal(let terminal): try terminal.read(into: &buffer)
          case .stream(let stream): try stream.read(into: &buffer)
          }
        guard let count else { return true }
        if count == 0 { return false }
      } catch {
        return false
      }
    }
    return true
  }

  /// Writes as much as there is room for; nil when the reader has gone.
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

  private static let readsPerTurnMax = 16
}
