/// The numbers that both ends of the protocol agree on; `Docs/SPEC-wire.md` describes every byte.
public enum WireLimits {
  /// The oldest protocol version that this code speaks.
  public static let versionMin: UInt16 = 1
  /// The newest protocol version that this code speaks.
  public static let versionMax: UInt16 = 4
  /// Bytes of a message from a client to the daemon.
  public static let requestSizeMax = 4_096
  /// Bytes of a message from the daemon to a client.
  public static let packetSizeMax = 65_536
  /// Bytes of a program's name.
  public static let programNameSizeMax = 64
  /// Bytes of a sentence for a person.
  public static let sentenceSizeMax = 1_024
  /// Bytes of one piece of a trace.
  public static let tracePieceSizeMax = 32_768
  /// The bytes behind the type of `hello`: "BNCL".
  public static let magic: [UInt8] = [0x42, 0x4E, 0x43, 0x4C]
}
