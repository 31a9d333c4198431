public import BinnacleBasics

/// The reason why the receiver's device cannot be used.
///
/// If known, the text names the program that holds the device.
public typealias ReceiverFault = Fault<ReceiverFailure>

/// The kinds of failures of the receiver's device.
public enum ReceiverFailure: UInt8, CaseIterable, Codable, Sendable {
  case missing = 0
  /// Another program has the device open.
  case busy = 1
  case notPermitted = 2
  case notATerminal = 3
  /// The device was removed: read returned 0, EIO, ENODEV, ENXIO or a hang-up.
  case unplugged = 4
  case failed = 5
}
