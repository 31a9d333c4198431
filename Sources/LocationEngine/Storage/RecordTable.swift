import BinnacleModel
public import StateLog

/// Every type of record that this program knows, with its commit class, its limits, its erasure and its text.
///
/// The tests that cut the power cover every type that is added here, without a test for each type. A number is never
/// used twice, and the meaning of a value never changes. A different meaning gets a new number, so that an older
/// program keeps unknown records and does not misread them.
public enum RecordTable {
  /// Whether location services are on for the whole board.
  public static let locationServices = RecordKind(
    number: 1, name: "location services", commitClass: .now, isCautious: true, isProtecting: true,
    valueSizeMax: 16, erasure: .never, text: { value, _ in value == [1] ? "on" : "off" })
  /// Live updates that an app has begun and not ended, by the app's identity.
  public static let liveUpdates = RecordKind(
    number: 2, name: "live updates", commitClass: .now, isCautious: true, valueSizeMax: 1_024,
    countMax: 256, erasure: .subject(.sequences),
    text: { value, _ in (try? LiveUpdatesRecord(decoding: value)).map { "\($0)" } })
  /// The last position.
  public static let lastFix = RecordKind(
    number: 3, name: "last fix", commitClass: .lazy, valueSizeMax: 256, erasure: .subject(.fix),
    text: { value, showsPlaces in showsPlaces ? LastPlace(bytes: value)?.text : nil })
  /// The identity of the receiver on the line.
  public static let receiverIdentity = RecordKind(
    number: 4, name: "receiver identity", commitClass: .lazy, valueSizeMax: 1_024, erasure: .all,
    text: { value, _ in ReceiverKey(bytes: value)?.text })
  /// The speed at which the receiver answered last.
  public static let receiverSpeed = RecordKind(
    number: 5, name: "receiver speed", commitClass: .now, valueSizeMax: 16, erasure: .never,
    text: { value, _ in ReceiverSpeedRecord(value).map { "\($0.speed) baud" } })
  /// A receiver's navigation database, for a quick start, by the receiver's identity.
  public static let navigationDatabase = RecordKind(
    number: 6, name: "navigation database", commitClass: .lazy, valueSizeMax: 24_576, countMax: 2,
    erasure: .subject(.database))
  /// Counts over the life of the board.
  public static let counters = RecordKind(
    number: 7, name: "counters", commitClass: .lazy, valueSizeMax: 4_096,
    erasure: .subject(.counters))
  /// The defaults of apps, by the app's identity and the app's own key.
  public static let appDefaults = RecordKind(
    number: 8, name: "app defaults", commitClass: .now, valueSizeMax: 4_096, countMax: 4_096,
    erasure: .subject(.defaults(app: nil)))
  /// A stretch of a track, by its number; in the log of tracks.
  public static let track = RecordKind(
    number: 9, name: "track", commitClass: .group, valueSizeMax: 4_096, countMax: 65_536,
    erasure: .withTracks)
  /// The place where the board rests, and the configurations of which updates pause.
  public static let rest = RecordKind(
    number: 10, name: "rest", commitClass: .group, valueSizeMax: 64, erasure: .subject(.fix),
    text: { value, showsPlaces in RestRecord(bytes: value)?.text(showsPlaces: showsPlaces) })
  /// The known losses of the state, until an operator accepts them.
  public static let damage = RecordKind(
    number: 11, name: "damage", commitClass: .now, isNamedAtOnce: true, valueSizeMax: 1_024,
    erasure: .never,
    text: { value, _ in ServiceSwitch.damageText(value) })

  /// The answers of persons to the requests of apps, by the app's identity.
  public static let grant = RecordKind(
    number: 12, name: "grant", commitClass: .now, isCautious: true, isNamedAtOnce: true,
    valueSizeMax: 64, countMax: 256, erasure: .all, text: { value, _ in Grant(bytes: value)?.text })

  /// The sessions that an app has begun and not ended, by the app's identity.
  public static let sessions = RecordKind(
    number: 13, name: "sessions", commitClass: .now, isCautious: true, valueSizeMax: 16,
    countMax: 256, erasure: .subject(.sequences),
    text: { value, _ in SessionsRecord(bytes: value)?.text })

  /// The sessions of an app that end with their process, by the app's identity.
  public static let processSessions = RecordKind(
    number: 21, name: "sessions of processes", commitClass: .now, isCautious: true,
    valueSizeMax: 128, countMax: 256, erasure: .subject(.sequences),
    text: { value, _ in ProcessSessionsRecord.text(of: value) })

  /// A time in which an app in the background could receive locations, by its number.
  public static let backgroundEpoch = RecordKind(
    number: 14, name: "background use", commitClass: .now, valueSizeMax: 512,
    countMax: BackgroundEpochs.countMax + BackgroundEpochs.spareMax, erasure: .all,
    text: { value, _ in BackgroundEpoch(bytes: value)?.text })

  /// Locations that wait for an app, by the app's identity and the number of the record.
  public static let waitingUpdates = RecordKind(
    number: 15, name: "waiting updates", commitClass: .now, valueSizeMax: 12_288, countMax: 128,
    erasure: .subject(.sequences),
    text: { value, _ in WaitingUpdatesRecord(bytes: value)?.text })

  /// The last app in the foreground, which HOME brings back.
  public static let lastApp = RecordKind(
    number: 16, name: "last app", commitClass: .group, valueSizeMax: 255,
    erasure: .subject(.sequences), text: { value, _ in AppID(recordKey: value).map { "\($0)" } })

  /// The processes of apps that a person has left in the background.
  public static let away = RecordKind(
    number: 20, name: "sent to the background", commitClass: .now, valueSizeMax: 2_048,
    erasure: .subject(.sequences), text: { value, _ in AwayProcesses.text(of: value) })

  /// An app that a person has closed and that has not ended yet, by the app's identity.
  public static let pendingClose = RecordKind(
    number: 17, name: "pending close", commitClass: .now, isNamedAtOnce: true, valueSizeMax: 16,
    countMax: 256, erasure: .never, text: { _, _ in "closed by a person, has not ended yet" })

  /// PINs that were tried since the last right one; a right PIN removes the record, within a minute.
  public static let pinTries = RecordKind(
    number: 18, name: "PIN tries", commitClass: .group, valueSizeMax: 16, erasure: .never,
    text: { value, _ in value.count == 2 ? "\(value[1]) since the last right PIN" : nil })

  /// The latest unlocks of consoles and series of wrong PINs.
  public static let consoleUses = RecordKind(
    number: 19, name: "console use", commitClass: .now, valueSizeMax: 4_096, erasure: .all,
    text: { value, _ in ConsoleUsesRecord(bytes: value)?.text })

  /// All types, by number.
  public static let all: [RecordKind] = [
    locationServices, liveUpdates, lastFix, receiverIdentity, receiverSpeed, navigationDatabase,
    counters, appDefaults, track, rest, damage, grant, sessions, backgroundEpoch,
    waitingUpdates, lastApp, pendingClose, pinTries, consoleUses,
    away, processSessions,
  ]

  /// The numbers of the types that protect a person; the mark of the log holds a second copy of their records.
  public static let protecting: [UInt16] = all.filter(\.isProtecting).map(\.number)

  /// Whether the mark names a commit of these changes before the commit is acknowledged.
  public static func areNamedAtOnce(_ changes: [Change]) -> Bool {
    changes.contains { kind($0.name.kind)?.isNamedAtOnce == true }
  }

  /// The type with a number; nil for a type that only a newer program knows.
  public static func kind(_ number: UInt16) -> RecordKind? {
    all.first { $0.number == number }
  }
}
