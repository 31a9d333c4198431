/// The limits of the protocol for both sides; `Docs/SPEC-wire.md` describes every byte.
public enum WireLimits {
  /// The oldest protocol version that this code supports.
  public static let versionMin: UInt16 = 1
  /// The newest protocol version that this code supports.
  public static let versionMax: UInt16 = 12
  /// The largest message from a client to the daemon, in bytes.
  public static let requestSizeMax = 4_096
  /// The largest message from the daemon to a client, in bytes.
  public static let packetSizeMax = 65_536
  /// The longest name of a program, in bytes.
  public static let programNameSizeMax = 64
  /// The longest name of an app with a manifest, in bytes.
  public static let identifierSizeMax = 100
  /// The first version with roles other than ``ClientRole/app``.
  static let roleVersionMin: UInt16 = 7
  /// The first version with the role ``ClientRole/console(token:)``.
  static let consoleVersionMin: UInt16 = 10
  /// The first version in which a list of the own apps of a user is announced.
  public static let ownAppsVersionMin: UInt16 = 11
  /// The first version with ``ServerMessage/updates(_:_:)``.
  public static let groupVersionMin: UInt16 = 11
  /// The token of an unlocked console, in bytes.
  public static let tokenSize = 16
  /// The longest PIN, in bytes.
  public static let pinSizeMax = 64
  /// The longest sentence for a person, in bytes.
  public static let sentenceSizeMax = 1_024
  /// The largest piece of a trace, in bytes.
  public static let tracePieceSizeMax = 32_768
  /// The bytes after the type of `hello`: "BNCL".
  public static let magic: [UInt8] = [0x42, 0x4E, 0x43, 0x4C]
}
