public import BinnaclePosix

/// The identity of a device, independent of its name.
public struct DeviceIdentity: Equatable, Sendable {
  /// The kernel's number of the device.
  let number: UInt64
  /// The file system of a pseudo-terminal.
  ///
  /// Each container has its own devpts file system, in which the numbers of pseudo-terminals begin again. The numbers
  /// of all other devices are unique in the whole machine.
  let fileSystem: UInt64?

  /// - Parameter status: the status of the device file.
  public init(_ status: Files.Status) {
    number = status.device
    let kind = LineKind(major: status.deviceMajor, driver: nil)
    fileSystem = kind == .pseudoTerminal ? status.fileSystem : nil
  }

  var isPseudoTerminal: Bool { fileSystem != nil }
}
