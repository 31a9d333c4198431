import BinnacleBasics
import BinnaclePosix
import Glibc

/// One end of a null modem, or the gadget's end of a USB line, both of them devices of this machine.
///
/// Such a line has no speed of its own. The one that counts is what the far end's owner has set, so it is asked
/// there, as an oscilloscope would ask the wire.
final class SerialEnd: LineEnd {
  private let file: FileDescriptor
  private let farEnd: String
  private let hasSpeed: Bool
  private var holder: String?

  /// With so many bytes unread at the far end, more are lost, as a UART loses them.
  ///
  /// A line of User-Mode Linux that has once been full stays dead even when it is opened anew, so it must not become
  /// full (4,096 bytes).
  private static let unreadMax = 2_048

  /// - Parameters:
  ///   - device: our end; it becomes raw.
  ///   - farEnd: the other one; it need not be there yet.
  /// - Throws: what the system said of our end.
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

  /// Whether a device is a USB one that speaks for itself; its name tells that before it is there.
  static func isUSB(_ device: String) -> Bool {
    device.split(separator: "/").last?.hasPrefix("ttyACM") == true
  }

  var descriptor: Int32 { file.number }

  var isHangUpFinal: Bool { true }

  // Looking means to walk through all processes.
  var lookEvery: Interval { .milliseconds(100) }

  /// Found without opening it: that would be in the way of whoever wants it alone.
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

  /// Asks the far end something, when somebody has it open.
  private func atFarEnd<Answer>(_ ask: (Terminal) throws -> Answer) -> Answer? {
    guard isFarEndOpen,
      let far = try? FileDescriptor.open(farEnd, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    else { return nil }
    return try? ask(Terminal(borrowing: far.number))
  }

  /// The link in `/proc` through which a process holds the far end; as far as this user may see.
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
