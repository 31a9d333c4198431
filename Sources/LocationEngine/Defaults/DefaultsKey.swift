import BinnacleModel
import StateLog

/// The names of an app's keys in the log: the app as readable text, a zero byte, and the app's own key.
///
/// No app's name contains a zero byte, so the keys of two apps never coincide.
struct DefaultsKey: Equatable, Sendable {
  /// The owner whose room a record takes: an app, or all programs of a user without a manifest.
  struct Owner: Equatable, Codable, Sendable {
    /// The first bytes of the names of the owner's records: the app and a zero byte, or the user and a colon.
    let prefix: [UInt8]
    /// Whether the owner is an app with a manifest.
    let isListed: Bool

    init(prefix: [UInt8], isListed: Bool) {
      self.prefix = prefix
      self.isListed = isListed
    }

    /// All programs of a user without a manifest.
    init(ofUser userID: UInt32) { self.init(prefix: Array("\(userID):".utf8), isListed: false) }

    func owns(_ name: RecordName) -> Bool { name.key.starts(with: prefix) }
  }

  /// The part of a name before the app's own key.
  let prefix: [UInt8]
  let owner: Owner

  /// The greatest size of an app's name; with the longest key and a zero byte it fits the name of a record.
  static let nameSizeMax = RecordName.keySizeMax - DefaultsLimits.keySizeMax - 1

  /// - Returns: nil if the app cannot be identified, or its name is too long.
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

  /// The reason why an app cannot have defaults; nil if it can.
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

  /// The app's own key in a record's name; nil if the record belongs to another app.
  func key(of name: RecordName) -> String? {
    guard name.kind == RecordTable.appDefaults.number, name.key.starts(with: prefix) else {
      return nil
    }
    return String(validating: name.key.dropFirst(prefix.count), as: UTF8.self)
  }

  /// The size of the app's own key in a record's name; nil if the record is not an app's.
  static func keySize(in name: RecordName) -> Int? {
    name.key.firstIndex(of: 0).map { name.key.count - $0 - 1 }
  }

  /// Whether a record belongs to an app with a manifest; only a user ID is followed by a colon.
  static func isListed(_ name: RecordName) -> Bool {
    for byte in name.key {
      if byte == UInt8(ascii: ":") { return false }
      if byte == 0 { return true }
    }
    return true
  }
}
