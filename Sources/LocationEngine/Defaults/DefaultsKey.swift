import BinnacleModel
import StateLog

/// The names of an app's keys in the log: the app as people read it, a zero, and the app's own key.
///
/// No app's name contains a zero, so no app's key is another app's.
struct DefaultsKey: Equatable, Sendable {
  /// The owner whose room a record takes: an app, or all programs of a user that have no manifest.
  struct Owner: Equatable, Codable, Sendable {
    /// The beginning of the names of its records: the app and a zero, or the user and a colon.
    let prefix: [UInt8]
    /// Whether it is an app with a manifest.
    let isListed: Bool

    init(prefix: [UInt8], isListed: Bool) {
      self.prefix = prefix
      self.isListed = isListed
    }

    /// All programs of a user that have no manifest.
    init(ofUser userID: UInt32) { self.init(prefix: Array("\(userID):".utf8), isListed: false) }

    func owns(_ name: RecordName) -> Bool { name.key.starts(with: prefix) }
  }

  /// The part of a name before the app's own key.
  let prefix: [UInt8]
  let owner: Owner

  /// With the longest key and a zero a name still fits into a record's.
  static let nameSizeMax = RecordName.keySizeMax - DefaultsLimits.keySizeMax - 1

  /// - Returns: nil when the app cannot be told from others, or its name is too long.
  init?(_ app: AppID) {
    let name = Array("\(app)".utf8)
    guard name.count <= DefaultsKey.nameSizeMax, !name.contains(0) else { return nil }
    switch app {
    case .unresolved, .door: return nil
    case .listed: owner = Owner(prefix: name + [0], isListed: true)
    case .unlisted(let userID, _):
      owner = Owner(ofUser: userID)
    }
    prefix = name + [0]
  }

  /// The reason why an app keeps nothing here; nil when it may.
  static func objection(to app: AppID) -> String? {
    guard DefaultsKey(app) == nil else { return nil }
    switch app {
    case .unresolved(let userID):
      return "the daemon cannot see which program of user \(userID) this is; "
        + "it sees programs of its own user, and all of them as root"
    case .door: return "a reader of a door keeps no defaults"
    case .listed, .unlisted:
      return "the program's path is longer than \(nameSizeMax) bytes; give it a manifest in apps.d"
    }
  }

  /// The name of the record of one of the app's keys.
  func named(_ key: String) -> RecordName? {
    RecordTable.appDefaults.named(prefix + Array(key.utf8))
  }

  /// The app's own key in a record's name; nil when it is another app's.
  func key(of name: RecordName) -> String? {
    guard name.kind == RecordTable.appDefaults.number, name.key.starts(with: prefix) else {
      return nil
    }
    return String(validating: name.key.dropFirst(prefix.count), as: UTF8.self)
  }

  /// The bytes that the app's own key has in a record's name; nil when the record is not an app's.
  static func keySize(in name: RecordName) -> Int? {
    name.key.firstIndex(of: 0).map { name.key.count - $0 - 1 }
  }

  /// Whether a record is of an app with a manifest: only users are followed by a colon.
  static func isListed(_ name: RecordName) -> Bool {
    for byte in name.key {
      if byte == UInt8(ascii: ":") { return false }
      if byte == 0 { return true }
    }
    return true
  }
}
