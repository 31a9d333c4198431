import BinnacleBasics

/// A message of the UBX protocol that can be decoded and encoded.
///
/// The types have the documents' names. Numbers stay integers as received, and their unit ends the name.
/// `E7` stands for 1e-7, so `latitudeE7` counts ten-millionths of a degree.
public protocol UBXMessage: Equatable, Sendable {
  static var messageClass: UInt8 { get }
  static var messageID: UInt8 { get }

  /// Reads a payload; nil when its length or its version does not fit this message.
  init?(_ payload: Payload)

  /// The payload, encoded as the receiver sends it.
  var payload: [UInt8] { get }
}

extension UBXMessage {
  /// Reads a payload; nil when its length or its version does not fit this message.
  public init?(payload: [UInt8]) {
    guard let message = payload.withUnsafeBytes({ Self(Payload($0)) }) else { return nil }
    self = message
  }

  /// The whole frame, ready to be sent.
  public var frame: [UInt8] {
    UBXFrame.encode(messageClass: Self.messageClass, id: Self.messageID, payload: payload)
  }
}
