public import BinnaclePosix

/// The identity of a device, whatever its name is.
public struct DeviceIdentity: Equatable, Sendable {
  /// The kernel's number of the device.
  let number: UInt64
  /// The file system of a pseudo-terminal.
  ///
  /// Each container has a devpts file system of its own, where the numbers of pseudo-terminals begin anew. The numbers of
  /// all other devices are those of the whole machine.
  let fileSystem: UInt64?

  /// - Parameter status: of the device file.
  public init(_ status: Files.Status) {
    number = status.device
    let kind = LineKind(major: status.deviceMajor, driver: nil)
    fileSystem = kind == .pseudoTerminal ? status.fileSystem : nil
  }

  var isPseudoTerminal: Bool { fileSystem != nil }
}
