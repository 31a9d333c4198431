/// A request for a message: its class and id with an empty payload, or with what selects one of several.
///
/// M10 SPG 5.10 interface description, "UBX polling mechanism".
public struct Poll: Equatable, Codable, Sendable {
  public var messageClass: UInt8
  public var messageID: UInt8
  /// Empty, or the port of CFG-PRT (1 byte), or class and message of CFG-MSG (2 bytes).
  public var selector: [UInt8]

  public init(messageClass: UInt8, messageID: UInt8, selector: [UInt8] = []) {
    self.messageClass = messageClass
    self.messageID = messageID
    self.selector = selector
  }

  /// Asks for a message of the given type.
  public init<Polled: UBXMessage>(_ type: Polled.Type, selector: [UInt8] = []) {
    self.init(
      messageClass: Polled.messageClass, messageID: Polled.messageID, selector: selector)
  }

  /// The whole frame, ready to be sent.
  public var frame: [UInt8] {
    UBXFrame.encode(messageClass: messageClass, id: messageID, payload: selector)
  }
}
