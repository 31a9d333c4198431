import BinnaclePosix
import LaunchWire

/// A connection of the daemon, and the reports that wait until the daemon reads.
final class LaunchConnection {
  let number: UInt64
  let socket: LocalSocket
  private var waiting: [[UInt8]] = []

  /// A daemon that lets more reports wait is disconnected; it gets the whole state again when it attends again.
  private static let waitingMax = 4_096

  init(number: UInt64, socket: LocalSocket) {
    self.number = number
    self.socket = socket
  }

  var isFull: Bool { waiting.count > LaunchConnection.waitingMax }

  func watch(with poll: inout Poll) {
    poll.set(socket.descriptor, waiting.isEmpty ? .reading : [.reading, .writing])
  }

  /// Sends a report, or keeps it until the daemon has read the reports before it.
  func send(_ report: LaunchReport) {
    if waiting.isEmpty, (try? socket.send(report.encoded)) == true { return }
    waiting.append(report.encoded)
  }

  /// Sends waiting reports until the socket is full; returns false if the daemon has disconnected.
  func flush() -> Bool {
    var sentCount = 0
    defer { waiting.removeFirst(sentCount) }
    do throws(Errno) {
      for packet in waiting {
        guard try socket.send(packet) else { break }
        sentCount += 1
      }
      return true
    } catch {
      return false
    }
  }
}
