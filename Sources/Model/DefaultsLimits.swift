/// How much an app may keep; client and daemon both look.
///
/// They leave room in the log of state (`LogGeometry.liveSizeMax`, 254 KiB) for what the board itself promises.
public enum DefaultsLimits {
  /// Bytes of a key, in UTF-8; there is one at least.
  public static let keySizeMax = 128
  /// Bytes of an encoded value: with its key it goes into one request, and with its name into one block of the log.
  public static let valueSizeMax = 3_840
  /// Keys of an app; of all programs of a user that have no manifest.
  public static let countMax = 256
  /// Bytes of all keys and encoded values of an app; of all programs of a user that have no manifest.
  public static let sizeMax = 32_768
  /// Keys that are changed at once.
  public static let changesMax = 512
  /// Bytes of the log's records that all apps without a manifest take together.
  public static let unlistedRecordSizeMax = 65_536
  /// Bytes of the log's records that all apps take together.
  public static let recordSizeMax = 131_072

  /// Why an entry cannot be kept, for a person; nil when it can.
  public static func objection(to entry: DefaultsEntry) -> String? {
    let keySize = entry.key.utf8.count
    guard (1...keySizeMax).contains(keySize) else {
      return "a key has 1 to \(keySizeMax) bytes, this one has \(keySize)"
    }
    if let size = entry.value?.encodedSize, size > valueSizeMax {
      return "the value has \(size - 1) bytes, and \(valueSizeMax - 1) is the most; "
        + "put large things into a file"
    }
    return nil
  }

  /// Why an app cannot keep so much, for a person; nil when it can.
  ///
  /// - Parameters:
  ///   - count: its keys.
  ///   - size: bytes of its keys and encoded values.
  /// - Returns: which limit it is beyond, and what to do.
  public static func objection(count: Int, size: Int) -> String? {
    if count > countMax {
      return "that makes \(count) keys, and \(countMax) is the most; remove some first"
    }
    if size > sizeMax {
      return "that makes \(size) bytes, and \(sizeMax) is the most; remove something first"
    }
    return nil
  }
}
