/// Why a serial port cannot be used, or can no longer be.
public struct SerialPortError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    case missing
    /// Somebody else has it open.
    case busy
    case notPermitted
    case notATerminal
    /// It was there and went away: read 0, EIO, ENODEV, ENXIO or a hang-up.
    case unplugged
    case failed
  }

  public let kind: Kind
  /// The device, what is wrong with it, and what to do: a sentence for a person.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
