/// The wishes of an app for a sequence of live updates, besides the configuration.
public struct SequenceOptions: OptionSet, Equatable, Codable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The app wants the approximate location, whatever accuracy it has.
  public static let reduced = SequenceOptions(rawValue: 1 << 0)
  /// The sequence is a search for one present location: it takes up no earlier updates and does not stay outstanding.
  public static let search = SequenceOptions(rawValue: 1 << 1)
}
