public import BinnacleBasics
import CBinnaclePosix

/// Reports the state of the service to systemd, when systemd asks for reports.
///
/// The corresponding C function is `sd_notify`.
public struct ServiceNotifier: Sendable {
  private let socketName: String?
  /// How long systemd waits for a sign of life before it starts the service anew; nil when it does not wait.
  ///
  /// Half of the time-out is a good interval between watchdog messages (`sd_watchdog_enabled(3)`).
  public let watchdogLimit: Interval?

  /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  public init(
    environment: RuntimeDirectory.Lookup = Environment.value,
    processID: Int32 = Environment.processID
  ) {
    socketName = environment("NOTIFY_SOCKET").flatMap {
      $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil
    }
    let isForUs = environment("WATCHDOG_PID").map { Int32($0) == processID } ?? true
    let microseconds = environment("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    let isUsable = isForUs && microseconds > 0 && microseconds <= Int64.max / 1_000
    watchdogLimit = isUsable ? .microseconds(microseconds) : nil
  }

  /// Whether a service manager has started this process and wants reports.
  public var isWanted: Bool { socketName != nil }

  /// Reports that the service is ready; gives up when the service manager does not read within a second.
  public func ready(status: String) {
    send("READY=1\nSTATUS=\(PlainText.line(status))", waiting: .seconds(1))
  }

  /// The status line in `systemctl status`.
  public func status(_ text: String) { send("STATUS=\(PlainText.line(text))") }

  /// The service is alive.
  public func alive() { if watchdogLimit != nil { send("WATCHDOG=1") } }

  /// The same, and the next sign may come so much later, until the service is started again (`sd_notify(3)`).
  public func alive(waiting limit: Interval) {
    guard watchdogLimit != nil else { return }
    send("WATCHDOG=1\nWATCHDOG_USEC=\(limit.nanoseconds / 1_000)")
  }

  /// The service is about to end.
  public func stopping() { send("STOPPING=1") }

  /// Sends without waiting, as a rule: a service manager that does not read must not hold the service up.
  private func send(_ message: String, waiting limit: Interval = .zero) {
    guard let socketName else { return }
    let bytes = Array(message.utf8)
    // A failed report cannot be reported.
    let milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000)
    _ = bytes.withUnsafeBytes {
      cposix_local_datagram(socketName, $0.baseAddress, $0.count, milliseconds)
    }
  }
}
