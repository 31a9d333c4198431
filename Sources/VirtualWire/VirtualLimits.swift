/// The numbers that both ends of a virtual board's socket agree on; `Docs/SPEC-virtual.md` describes every byte.
public enum VirtualLimits {
  /// The protocol version that this code speaks.
  public static let version: UInt16 = 1
  /// The bytes behind the type of a hello: "BNVB".
  public static let magic: [UInt8] = [0x42, 0x4E, 0x56, 0x42]
  /// Bytes of a greeting and of a message about lines or control, in either direction.
  public static let messageSizeMax = 4_096
  /// Bytes of the name of a line, a part or a consumer.
  public static let nameSizeMax = 64
  /// Bytes of a sentence for a person.
  public static let sentenceSizeMax = 512
  /// The socket's name in the runtime directory, where nothing else is said.
  public static let socketName = "board.sock"
}
