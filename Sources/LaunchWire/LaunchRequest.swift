import BinnacleBasics

/// A request of the daemon to the launcher.
///
/// One packet: `u8` version, 3; `u8` kind; `u32` number of the request. Kind 1, identify, comes with one process descriptor.
/// Kind 2 is attend. Kinds 3 to 7 are orders about an app, `text` identifier: 3 start, then `u8` 1 if the app is started for
/// a location, else 0; 4 freeze; 5 thaw; 6 end; 7 kill.
public struct LaunchRequest: Equatable, Sendable {
  /// The number, which the answer repeats.
  public let number: UInt32
  public let kind: Kind

  /// The content of a request.
  public enum Kind: Equatable, Sendable {
    /// Which program does the process of this descriptor run?
    case identify
    /// Report the apps that run, and all further news, to this connection.
    case attend
    /// Carry out an order about the app of this identifier.
    case order(String, AppOrder)
  }

  /// An order about an app.
  public enum AppOrder: Equatable, Sendable {
    /// Start the app of the manifest; the launcher reads the manifest itself.
    case start(isForLocation: Bool)
    /// Stop all processes of the app where they are.
    case freeze
    /// Let all processes of the app continue.
    case thaw
    /// Send SIGTERM to the first process of the app.
    case end
    /// Send SIGKILL to all processes of the app.
    case kill
  }

  /// The version of the protocol; packets of another version are refused.
  public static let version: UInt8 = 3
  /// A longer packet is not a request.
  public static let sizeMax = 128
  /// The longest identifier of an app, in bytes, as in manifests.
  public static let identifierSizeMax = 100

  public init(number: UInt32, _ kind: Kind) {
    self.number = number
    self.kind = kind
  }

  /// - Returns: nil if the packet is not a request of this version.
  public init?(decoding packet: [UInt8]) {
    var reader = ByteReader(packet)
    guard reader.u8() == LaunchRequest.version, let code = reader.u8(), let number = reader.u32()
    else { return nil }
    switch code {
    case 1: kind = .identify
    case 2: kind = .attend
    case 3...7:
      guard let app = LaunchRequest.identifier(&reader),
        let order = AppOrder(code: code, &reader)
      else { return nil }
      kind = .order(app, order)
    case _: return nil
    }
    guard reader.remaining == 0 else { return nil }
    self.number = number
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.u8(LaunchRequest.version)
    switch kind {
    case .identify:
      writer.u8(1)
      writer.u32(number)
    case .attend:
      writer.u8(2)
      writer.u32(number)
    case .order(let app, let order):
      writer.u8(order.code)
      writer.u32(number)
      writer.text(app)
      if case .start(let isForLocation) = order { writer.u8(isForLocation ? 1 : 0) }
    }
    return writer.bytes
  }

  /// The identifier of an app: letters, digits, hyphens and dots; a name of a file, and never a path.
  static func identifier(_ reader: inout ByteReader) -> String? {
    guard let text = reader.text(), isIdentifier(text) else { return nil }
    return text
  }

  /// Whether a text may be the identifier of an app.
  public static func isIdentifier(_ text: String) -> Bool {
    (1...identifierSizeMax).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
      && text.utf8.allSatisfy {
        ($0 | 32 >= 97 && $0 | 32 <= 122) || (48...57).contains($0) || "-.".utf8.contains($0)
      }
  }
}

extension LaunchRequest.AppOrder {
  fileprivate var code: UInt8 {
    switch self {
    case .start: 3
    case .freeze: 4
    case .thaw: 5
    case .end: 6
    case .kill: 7
    }
  }

  fileprivate init?(code: UInt8, _ reader: inout ByteReader) {
    switch code {
    case 3:
      switch reader.u8() {
      case 0: self = .start(isForLocation: false)
      case 1: self = .start(isForLocation: true)
      case _: return nil
      }
    case 4: self = .freeze
    case 5: self = .thaw
    case 6: self = .end
    case 7: self = .kill
    case _: return nil
    }
  }
}
