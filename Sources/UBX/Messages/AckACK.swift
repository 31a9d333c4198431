/// The receiver accepted a command: UBX-ACK-ACK, 05 01.
///
/// M10 SPG 5.10 interface description, UBX-ACK-ACK. The message has the class and the id of the command, but no
/// sequence number, so only one command of a kind can be outstanding.
public struct AckACK: UBXMessage {
  public static let messageClass: UInt8 = 0x05
  public static let messageID: UInt8 = 0x01

  /// Class of the acknowledged command.
  public var commandClass: UInt8
  /// Message id of the acknowledged command.
  public var commandID: UInt8

  public init(commandClass: UInt8, commandID: UInt8) {
    self.commandClass = commandClass
    self.commandID = commandID
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 2 else { return nil }
    commandClass = payload.u8(0)
    commandID = payload.u8(1)
  }

  public var payload: [UInt8] { [commandClass, commandID] }
}

/// The receiver refused a command: UBX-ACK-NAK, 05 00.
///
/// M10 SPG 5.10 interface description, UBX-ACK-NAK.
public struct AckNAK: UBXMessage {
  public static let messageClass: UInt8 = 0x05
  public static let messageID: UInt8 = 0x00

  /// Class of the refused command.
  public var commandClass: UInt8
  /// Message id of the refused command.
  public var commandID: UInt8

  public init(commandClass: UInt8, commandID: UInt8) {
    self.commandClass = commandClass
    self.commandID = commandID
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 2 else { return nil }
    commandClass = payload.u8(0)
    commandID = payload.u8(1)
  }

  public var payload: [UInt8] { [commandClass, commandID] }
}
