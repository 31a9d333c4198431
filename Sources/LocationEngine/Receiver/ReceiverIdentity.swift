public import UBX

/// A receiver's own description (UBX-MON-VER), or the part of it that a shorter poll shows.
public struct ReceiverIdentity: Equatable, Codable, Sendable {
  public let software: String
  public let hardware: String
  /// The firmware's name, such as `SPG 5.10`, or the software version if the firmware has no name.
  public let firmware: String
  /// The module's name, such as `SAM-M10Q`.
  public let module: String?
  public let protocolVersion: ProtocolVersion?
  public let generation: Generation
  /// Whether only its configuration method is known, since no UBX-MON-VER has passed the line so far.
  public let isPresumed: Bool

  public enum Generation: UInt8, CaseIterable, Codable, Sendable {
    case six = 6
    case seven = 7
    case m8 = 8
    /// M9 and F9.
    case m9 = 9
    case m10 = 10
    /// Known by its protocol version only: F10, X20 and later.
    case later = 11

    /// The name for a person.
    var name: String {
      switch self {
      case .six: "6"
      case .seven: "7"
      case .m8: "M8"
      case .m9: "M9"
      case .m10: "M10"
      case .later: "later than M10"
      }
    }
  }

  init(_ version: MonVER) {
    software = version.softwareVersion
    hardware = version.hardwareVersion
    firmware = version.firmware ?? version.softwareVersion
    module = version.module
    protocolVersion = version.protocolVersion
    generation = ReceiverIdentity.generation(version.protocolVersion, hardware: hardware)
    isPresumed = false
  }

  /// A receiver that answers, but whose name has not arrived.
  ///
  /// UBX-MON-VER has 138 to 248 bytes, and a line that loses one byte in fifty passes one answer in twenty at best. The
  /// receiver counts as the oldest generation with UBX-NAV-PVT. A receiver without UBX-NAV-PVT refuses that message and
  /// gets the older messages.
  ///
  /// - Parameter usesKeys: whether the receiver knows UBX-CFG-VALGET.
  init(presumedWithKeys usesKeys: Bool) {
    software = ""
    hardware = ""
    firmware = ""
    module = nil
    protocolVersion = nil
    generation = usesKeys ? .m9 : .seven
    isPresumed = true
  }

  /// Whether the receiver is configured by keys and values (protocol above 23.01) or by the older messages.
  public var usesKeys: Bool {
    protocolVersion?.hasConfigurationKeys ?? (generation.rawValue >= Generation.m9.rawValue)
  }

  /// One line for the log.
  var summary: String {
    if isPresumed { return "u-blox \(generationInWords), whose name the line has damaged so far" }
    let version = protocolVersion.map { ", protocol \($0)" } ?? ""
    return "u-blox \(module ?? "generation " + generation.name), firmware \(firmware)\(version)"
  }

  /// The generation for a person, as far as it is known.
  var generationInWords: String {
    guard isPresumed else { return generation.name }
    return usesKeys ? "M9 or later" : "M8 or earlier"
  }

  private static func generation(_ version: ProtocolVersion?, hardware: String) -> Generation {
    if let version, version > ProtocolVersion(major: 0, minor: 0) {
      switch version.major {
      case ..<14: return .six
      case 14: return .seven
      case 15..<24: return .m8
      case 24..<34: return .m9
      case 34..<40: return .m10
      case _: return .later
      }
    }
    switch hardware.prefix(4) {
    case "0007": return .seven
    case "0008": return .m8
    case "0019": return .m9
    case "000A": return .m10
    case _: return .six
    }
  }
}
