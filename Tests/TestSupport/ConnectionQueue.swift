import BinnaclePosix

/// The connections that wait at a listening socket to be accepted.
public enum ConnectionQueue {
  private static let lengthMax = 10_000

  /// Connects and hangs up until the queue has no room.
  public static func fill(at path: String) throws {
    for _ in 0..<lengthMax {
      do throws(SystemError) {
        _ = try LocalSocket(connectingTo: path)
      } catch {
        if error.errno == .wouldBlock { return }
        throw error
      }
    }
    throw TestData.Missing(path: "the end of the queue at \(path)")
  }
}
