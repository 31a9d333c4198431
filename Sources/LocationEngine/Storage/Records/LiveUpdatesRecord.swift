import BinnacleBasics
public import BinnacleModel
import StateLog

/// The value of a record of live updates: how many sequences of each configuration an app has begun and not ended.
///
/// `u8` version, 1; then for each configuration in use, ascending: `u8` configuration, `u16` count, at least 1.
/// Additions by later programs get a higher version. A value with an unknown version is not read and not changed.
public struct LiveUpdatesRecord: Equatable, Codable, Sendable {
  public static let version: UInt8 = 1

  /// Indexed by the number of the configuration.
  private var counts = [UInt16](repeating: 0, count: LiveConfiguration.allCases.count)

  public init() {}

  /// Why a value cannot be read.
  public enum Damage: Error, Equatable, Sendable, CustomStringConvertible {
    /// A newer program wrote the value.
    case newer(version: UInt8)
    /// No program wrote the value.
    case malformed

    public var description: String {
      switch self {
      case .newer(let version): "a newer program wrote it (version \(version))"
      case .malformed: "it is damaged"
      }
    }
  }

  /// - Throws: why the bytes cannot be read.
  public init(decoding value: [UInt8]) throws(Damage) {
    var reader = ByteReader(value)
    guard let version = reader.u8(), version > 0 else { throw .malformed }
    guard version == LiveUpdatesRecord.version else { throw .newer(version: version) }
    var last = -1
    while reader.remaining > 0 {
      guard let configuration = reader.u8().flatMap(LiveConfiguration.init(rawValue:)),
        let count = reader.u16(), count > 0, Int(configuration.rawValue) > last
      else { throw .malformed }
      last = Int(configuration.rawValue)
      counts[last] = count
    }
    if last < 0 { throw .malformed }
  }

  /// The value of the record; nil without sequences, since there is no record then.
  public var value: [UInt8]? {
    if isEmpty { return nil }
    var writer = ByteWriter()
    writer.u8(LiveUpdatesRecord.version)
    for configuration in LiveConfiguration.allCases where self[configuration] > 0 {
      writer.u8(configuration.rawValue)
      writer.u16(UInt16(self[configuration]))
    }
    return writer.bytes
  }

  public var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  /// The number of sequences of a configuration; the count ends at 65,535.
  public subscript(configuration: LiveConfiguration) -> Int {
    get { Int(counts[Int(configuration.rawValue)]) }
    set { counts[Int(configuration.rawValue)] = UInt16(clamping: newValue) }
  }

  /// Whether no count of this record is less than that of the other record.
  public func covers(_ other: LiveUpdatesRecord) -> Bool {
    zip(counts, other.counts).allSatisfy { $0 >= $1 }
  }
}

extension LiveUpdatesRecord: CustomStringConvertible {
  /// `default 2, fitness 1`, or `none`.
  public var description: String {
    let parts = LiveConfiguration.allCases.filter { self[$0] > 0 }.map { "\($0.name) \(self[$0])" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}

extension AppID {
  /// The app as the key of a record, in readable text.
  ///
  /// nil for a program that cannot be identified, for a door, and for a path that is too long.
  public var recordKey: [UInt8]? {
    switch self {
    case .unresolved, .door: return nil
    case .listed, .unlisted: break
    }
    let key = Array("\(self)".utf8)
    return key.count <= RecordName.keySizeMax ? key : nil
  }

  /// The app of a key; nil if the key is not the key of an app.
  public init?(recordKey key: [UInt8]) {
    guard let text = String(validating: key, as: UTF8.self) else { return nil }
    guard let colon = text.firstIndex(of: ":") else {
      if text.isEmpty { return nil }
      self = .listed(text)
      return
    }
    let executable = text[text.index(after: colon)...]
    guard let userID = UInt32(text[..<colon]), executable.first == "/" else { return nil }
    self = .unlisted(userID: userID, executable: String(executable))
    // Only the form that `recordKey` writes is accepted; "+1" would be a number, too.
    if recordKey != key { return nil }
  }
}
