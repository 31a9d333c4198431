/// A poll of a message: its class and id, with an empty payload or with a selector.
///
/// M10 SPG 5.10 interface description, "UBX polling mechanism".
public struct Poll: Equatable, Codable, Sendable {
  public var messageClass: UInt8
  public var messageID: UInt8
  /// Empty, or the port for CFG-PRT (1 byte), or class and id for CFG-MSG (2 bytes).
  public var selector: [UInt8]

  public init(messageClass: UInt8, messageID: UInt8, selector: [UInt8] = []) {
    self.messageClass = messageClass
    self.messageID = messageID
    self.selector = selector
  }

  /// Makes a poll of a message type.
  public init<Polled: UBXMessage>(_ type: Polled.Type, selector: [UInt8] = []) {
    self.init(
      messageClass: Polled.messageClass, messageID: Polled.messageID, selector: selector)
  }

  /// The whole frame, ready to be sent.
  public var frame: [UInt8] {
    UBXFrame.encode(messageClass: messageClass, id: messageID, payload: selector)
  }
}
