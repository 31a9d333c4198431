public import BinnacleBasics

/// A receiver's navigation database: the receiver's own opaque records, and the time at which the receiver sent them.
///
/// The size is limited. Records beyond the limit are left out. A missing record costs the receiver the data of some
/// satellites only, since the records are independent of each other.
public struct NavigationDatabase: Equatable, Codable, Sendable {
  public let receiver: ReceiverKey
  /// When the receiver sent the records.
  public let time: UTCTime
  /// Payloads of UBX-MGA-DBD, byte for byte.
  public private(set) var records: [[UInt8]] = []
  /// The number of records beyond the limit.
  public private(set) var leftOut = 0

  /// The greatest number of records, and the greatest size of their encoding in bytes.
  static let recordsMax = 200
  static let bytesMax = 24_000
  private static let version: UInt8 = 1
  private static let headBytes = 11
  private static let recordBytes = 12...164

  init(receiver: ReceiverKey, time: UTCTime) {
    self.receiver = receiver
    self.time = time
  }

  mutating func append(_ record: [UInt8]) {
    guard NavigationDatabase.recordBytes.contains(record.count),
      records.count < NavigationDatabase.recordsMax,
      byteCount + 1 + record.count <= NavigationDatabase.bytesMax
    else {
      leftOut += 1
      return
    }
    records.append(record)
  }

  private var byteCount: Int {
    records.reduce(NavigationDatabase.headBytes) { $0 + 1 + $1.count }
  }

  // MARK: The record

  /// The bytes of the record under the receiver's key.
  ///
  /// The format is: version, seconds since 1970, number of records, and each record after its length.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.u8(NavigationDatabase.version)
    writer.i64(time.secondsSince1970)
    writer.u16(UInt16(records.count))
    for record in records {
      writer.u8(UInt8(record.count))
      writer.put(record)
    }
    return writer.bytes
  }

  /// Reads the record; nil if it is not whole.
  public init?(receiver: ReceiverKey, bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == NavigationDatabase.version, let seconds = reader.i64(),
      LastPlace.secondsRange.contains(seconds), let count = reader.u16(),
      Int(count) <= NavigationDatabase.recordsMax
    else { return nil }
    self.init(receiver: receiver, time: UTCTime(secondsSince1970: seconds))
    for _ in 0..<count {
      guard let length = reader.u8(), NavigationDatabase.recordBytes.contains(Int(length)),
        let record = reader.take(Int(length))
      else { return nil }
      append(record)
    }
    guard reader.remaining == 0, leftOut == 0 else { return nil }
  }
}
