/// Why a record is not possible; nothing is sent to the log.
public enum RecordRefusal: Error, Equatable, Codable, Sendable, CustomStringConvertible {
  case keyTooLong(size: Int, sizeMax: Int)
  case valueTooLarge(kind: String, size: Int, sizeMax: Int)
  case tooMany(kind: String, countMax: Int)

  public var description: String {
    switch self {
    case .keyTooLong(let size, let sizeMax):
      "the key has \(size) bytes; the maximum is \(sizeMax)"
    case .valueTooLarge(let kind, let size, let sizeMax):
      "the value (\(kind)) has \(size) bytes, and \(sizeMax) is the most"
    case .tooMany(let kind, let countMax):
      "there are \(countMax) records (\(kind)), which is the most; remove one first"
    }
  }
}
