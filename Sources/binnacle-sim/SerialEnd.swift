import BinnacleBasics
import BinnaclePosix
import Glibc

/// One end of a null modem, or the gadget's end of a USB line; both ends are devices of this machine.
///
/// Such a line has no speed of its own. The valid speed is the speed that the far end's owner has set. The simulator
/// reads it there, like an oscilloscope that measures the wire.
final class SerialEnd: LineEnd {
  private let file: FileDescriptor
  private let farEnd: String
  private let hasSpeed: Bool
  private var holder: String?

  /// With this many bytes unread at the far end, further bytes are lost, as a UART loses bytes.
  ///
  /// A line of User-Mode Linux that was once full stays dead even when it is opened again. The line must therefore not
  /// become full (4,096 bytes).
  private static let unreadMax = 2_048

  /// - Parameters:
  ///   - device: the simulator's end; it is set to raw mode.
  ///   - farEnd: the far end; it may be absent at first.
  /// - Throws: the system's error at the simulator's end.
  init(device: String, farEnd: String) throws(SystemError) {
    self.farEnd = farEnd
    do throws(Errno) {
      file = try FileDescriptor.open(device, O_RDWR | O_NOCTTY | O_NONBLOCK)
      let terminal = Terminal(borrowing: file.number)
      try terminal.makeRaw(speed: 115_200)
      try terminal.flushInput()
      hasSpeed = !SerialEnd.isUSB(farEnd)
    } catch {
      throw SystemError(error, device)
    }
  }

  /// Whether a device is a USB device without a UART; its name shows the kind before the device exists.
  static func isUSB(_ device: String) -> Bool {
    device.split(separator: "/").last?.hasPrefix("ttyACM") == true
  }

  var descriptor: Int32 { file.number }

  var isHangUpFinal: Bool { true }

  // A check of the far end lists all processes.
  var pollPeriod: Interval { .milliseconds(100) }

  /// The far end is not opened for this check: opening would disturb a process that needs exclusive access.
  var isFarEndOpen: Bool {
    if let holder, (try? Files.linkTarget(holder)) == farEnd { return true }
    holder = findHolder()
    return holder != nil
  }

  var farSpeed: Int? { hasSpeed ? atFarEnd { try $0.speed() }.map(Int.init) : nil }

  func read(into buffer: inout [UInt8]) throws(Errno) -> Int? { try file.read(into: &buffer) }

  func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int? {
    let unread = atFarEnd { try $0.inputQueued() } ?? 0
    return unread < SerialEnd.unreadMax ? try file.write(bytes) : nil
  }

  /// Queries the terminal of the far end, when a process has the far end open.
  private func atFarEnd<Answer>(_ ask: (Terminal) throws -> Answer) -> Answer? {
    guard isFarEndOpen,
      let far = try? FileDescriptor.open(farEnd, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    else { return nil }
    return try? ask(Terminal(borrowing: far.number))
  }

  /// The link in `/proc` through which a process holds the far end, as far as this user may read `/proc`.
  private func findHolder() -> String? {
    for process in (try? Files.list("/proc")) ?? [] where process.first?.isNumber == true {
      let folder = "/proc/\(process)/fd"
      let numbers = (try? Files.list(folder)) ?? []
      if let number = numbers.first(where: { (try? Files.linkTarget("\(folder)/\($0)")) == farEnd })
      {
        return "\(folder)/\(number)"
      }
    }
    return nil
  }
}
