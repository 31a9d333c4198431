import CBinnaclePosix
import Glibc

/// The settings of a serial line or pseudo-terminal that is open under some descriptor.
///
/// The value borrows the number: the owner of the descriptor keeps it open meanwhile.
public struct Terminal: Sendable {
  private let descriptor: Int32

  /// All settings of a line, to be restored later.
  public struct Settings: Equatable, Sendable {
    fileprivate var kernel = cposix_terminal_settings()

    public static func == (left: Settings, right: Settings) -> Bool {
      withUnsafeBytes(of: left.kernel) { left in
        withUnsafeBytes(of: right.kernel) { right in left.elementsEqual(right) }
      }
    }
  }

  /// The counters of a UART since the board started.
  public struct ErrorCounts: Equatable, Sendable {
    /// No stop bit where one had to be: most often the wrong speed.
    public var framing: UInt32
    /// The UART's own memory overflowed.
    public var overrun: UInt32
    public var parity: UInt32
    /// The line was low for longer than a character.
    public var breaks: UInt32
    /// The kernel's memory overflowed.
    public var bufferOverrun: UInt32
  }

  public init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// All settings; throws `notATerminal` for other files.
  ///
  /// The corresponding C function is `tcgetattr`.
  public func settings() throws(Errno) -> Settings {
    var settings = Settings()
    _ = try Errno.check { cposix_terminal_get(descriptor, &settings.kernel) }
    return settings
  }

  /// Sets all settings at once, without waiting for pending output.
  ///
  /// The corresponding C function is `tcsetattr` with `TCSANOW`.
  public func set(_ settings: Settings) throws(Errno) {
    var kernel = settings.kernel
    _ = try Errno.check { cposix_terminal_set(descriptor, &kernel) }
  }

  /// Makes the line raw: 8 data bits, no parity, 1 stop bit, no flow control, modem lines ignored.
  ///
  /// The corresponding C function is `cfmakeraw`.
  public func makeRaw(speed: UInt32) throws(Errno) {
    _ = try Errno.check { cposix_terminal_make_raw(descriptor, speed) }
  }

  /// Whether the line is as `makeRaw` leaves it.
  public var isRaw: Bool { cposix_terminal_is_raw(descriptor) == 1 }

  /// The line's speed in baud, as the driver reports it.
  public func speed() throws(Errno) -> UInt32 {
    UInt32(clamping: try Errno.check { cposix_terminal_speed(descriptor) })
  }

  /// Sets any speed in baud, with a name or without.
  ///
  /// The corresponding C function is `ioctl` with `TCSETS2` and `BOTHER`.
  public func setSpeed(_ speed: UInt32) throws(Errno) {
    _ = try Errno.check { cposix_terminal_set_speed(descriptor, speed) }
  }

  /// Whether only root can open the line a second time.
  ///
  /// The corresponding C function is `ioctl` with `TIOCEXCL` or `TIOCNXCL`.
  public func setExclusive(_ isExclusive: Bool) throws(Errno) {
    _ = try Errno.check { cposix_terminal_set_exclusive(descriptor, isExclusive ? 1 : 0) }
  }

  /// Whether this process may read and set the terminal: a shell that has sent it to the background uses it meanwhile,
  /// and the kernel would stop the process.
  ///
  /// A line that is not the process's controlling terminal always may be used.
  ///
  /// The corresponding C function is `tcgetpgrp`.
  public var isInForeground: Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }

  /// How many bytes wait in the kernel to be sent.
  ///
  /// The corresponding C function is `ioctl` with `TIOCOUTQ`.
  public func outputQueued() throws(Errno) -> Int {
    Int(try Errno.check { cposix_terminal_output_queued(descriptor) })
  }

  /// How many bytes have come in and wait in the kernel to be read.
  ///
  /// The corresponding C function is `ioctl` with `FIONREAD`.
  public func inputQueued() throws(Errno) -> Int {
    Int(try Errno.check { cposix_terminal_input_queued(descriptor) })
  }

  /// Whether the transmitter is empty; nil when the driver does not report it.
  ///
  /// The corresponding C function is `ioctl` with `TIOCSERGETLSR`.
  public var isTransmitterEmpty: Bool? {
    let answer = cposix_terminal_transmitter_empty(descriptor)
    return answer < 0 ? nil : answer == 1
  }

  /// Discards unread input.
  ///
  /// The corresponding C function is `tcflush` with `TCIFLUSH`.
  public func flushInput() throws(Errno) {
    _ = try Errno.check { cposix_terminal_flush_input(descriptor) }
  }

  /// The UART's counters; nil where there is no UART.
  ///
  /// The corresponding C function is `ioctl` with `TIOCGICOUNT`.
  public var errorCounts: ErrorCounts? {
    var counts = cposix_line_errors()
    guard cposix_terminal_errors(descriptor, &counts) == 0 else { return nil }
    return ErrorCounts(
      framing: counts.framing, overrun: counts.overrun, parity: counts.parity,
      breaks: counts.broken, bufferOverrun: counts.buffer_overrun)
  }

  /// The kernel's number of the device.
  public func deviceNumber() throws(Errno) -> (major: UInt32, minor: UInt32) {
    var major: UInt32 = 0
    var minor: UInt32 = 0
    _ = try Errno.check { cposix_device_number(descriptor, &major, &minor) }
    return (major, minor)
  }

  /// The size of a terminal in characters; 0 where it is unknown, as on a serial line.
  public struct Window: Equatable, Sendable {
    public var columns: UInt16
    public var rows: UInt16

    public init(columns: UInt16, rows: UInt16) {
      self.columns = columns
      self.rows = rows
    }
  }

  /// The size of the terminal; zeros where the driver does not know it.
  ///
  /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
  public var window: Window {
    var window = Window(columns: 0, rows: 0)
    _ = cposix_terminal_window(descriptor, &window.columns, &window.rows)
    return window
  }

  /// Sets the size of the terminal.
  public func setWindow(_ window: Window) {
    _ = cposix_terminal_set_window(descriptor, window.columns, window.rows)
  }

  /// Discards output that waits in the kernel.
  ///
  /// The corresponding C function is `tcflush` with `TCOFLUSH`.
  public func flushOutput() throws(Errno) {
    _ = try Errno.check { cposix_terminal_flush_output(descriptor) }
  }

  /// Shows or hides the keys of a terminal that gives whole lines; unread keys are discarded.
  ///
  /// The corresponding C function is `tcsetattr` with `TCSAFLUSH` and `ECHO`.
  public func setEcho(_ isShown: Bool) throws(Errno) {
    _ = try Errno.check { cposix_terminal_set_echo(descriptor, isShown ? 1 : 0) }
  }

  /// Makes the line give single keys without echo and signals, and add carriage returns to output.
  public func makeConsole() throws(Errno) {
    _ = try Errno.check { cposix_terminal_make_console(descriptor) }
  }
}
