import BinnacleModel

/// The rights of the readers of doors.
///
/// A reader of a door is an app in the background: the indicator is lit while the reader may receive locations. A reader
/// cannot ask a person. It gets locations after the answer of an operator, or by `Grant=` of the door's section in the
/// board's profile.
extension AppTable {
  /// The answer that counts for an app: the answer of a person, else the grant of the board's profile.
  func answer(for app: AppID) -> Grant? { grants[app] ?? profileGrant(of: app) }

  /// The grant that the board's profile gives to a reader of a door; nil without a grant.
  func profileGrant(of app: AppID) -> Grant? {
    guard case .door(let name, let reader) = app,
      let grant = doors.first(where: { $0.name == name })?.grant(of: reader)
    else { return nil }
    return Grant(.always, by: .profile, isAlwaysAnswered: true, isReduced: grant.isReduced)
  }

  /// Whether a plain answer for an app gives reduced accuracy, by the board's profile or by the manifest.
  func isReducedByDefault(_ app: AppID) -> Bool {
    profileGrant(of: app)?.isReduced ?? declaration(of: app)?.isAccuracyReduced ?? false
  }

  /// The right of a reader of a door while it reads; nil without a right.
  func doorRight(of app: AppID, _ authorization: Authorization) -> UseRight? {
    authorization.isGiven && state(of: app) != .notRunning ? .alwaysSession : nil
  }

  /// Whether a program reads a door.
  var hasDoorReaders: Bool { !doors.isEmpty && clients.contains { $0.peer.app.isDoor } }

  /// The readers of doors that read now, each once.
  var doorReaders: [AppID] {
    if doors.isEmpty { return [] }
    var readers: [AppID] = []
    for client in clients where client.peer.app.isDoor && !readers.contains(client.peer.app) {
      readers.append(client.peer.app)
    }
    return readers
  }

  /// The readers of doors that the board's profile names.
  var namedReaders: [AppID] {
    doors.flatMap { door in
      door.grants.compactMap { grant in grant.reader.map { .door(door.name, $0) } }
    }
  }

  /// The log line about a new reader without an answer; nil for any other app.
  func hint(about app: AppID) -> String? {
    guard app.isDoor, authorization(of: app, file: nil) == .notDetermined else { return nil }
    return "\(app): reads without a position, because no operator has allowed it; "
      + "'binnacle allow \(app)' does, or Grant= of the door in the board's profile"
  }

  /// The reader with a name such as `door.nmea:1000`; nil if the profile does not open that door.
  func reader(named name: String) -> AppID? {
    guard let app = AppID(doorReader: name), case .door(let door, _) = app,
      doors.contains(where: { $0.name == door })
    else { return nil }
    return app
  }
}
