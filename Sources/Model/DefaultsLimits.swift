/// The limits of an app's defaults; client and daemon both check them.
///
/// The limits leave space in the state log (`LogGeometry.liveSizeMax`, 254 KiB) for the board's own records.
public enum DefaultsLimits {
  /// The longest key in bytes of UTF-8; a key has at least one byte.
  public static let keySizeMax = 128
  /// The largest encoded value in bytes.
  ///
  /// Such a value fits with its key into one request, and with its name into one block of the log.
  public static let valueSizeMax = 3_840
  /// The largest number of keys of an app; programs without a manifest share the limit with others of their user.
  public static let countMax = 256
  /// The largest size of all keys and encoded values of an app, in bytes.
  ///
  /// Programs without a manifest share the limit with others of their user.
  public static let sizeMax = 32_768
  /// The largest number of keys in one change.
  public static let changesMax = 512
  /// The largest size of the log's records of all apps without a manifest together, in bytes.
  public static let unlistedRecordSizeMax = 65_536
  /// The largest size of the log's records of all apps together, in bytes.
  public static let recordSizeMax = 131_072

  /// The reason why an entry cannot be stored, for a person; nil if the entry is valid.
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

  /// The reason why an app exceeds a limit, for a person; nil if it does not.
  ///
  /// - Parameters:
  ///   - count: the number of the app's keys.
  ///   - size: the size of the app's keys and encoded values in bytes.
  /// - Returns: the exceeded limit and a remedy.
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
