/// Every type of record that this program knows.
///
/// What is added here is part of the tests that cut the power, without a test of its own. A number is never given
/// twice, and the meaning of a value never changes: a different meaning takes a number of its own, so that an older program
/// keeps what it does not know instead of misreading it.
public enum RecordTable {
  /// Whether location services are on for the whole board.
  public static let locationServices = RecordKind(
    number: 1, name: "location services", commitClass: .now, isCautious: true, valueSizeMax: 16,
    countMax: 1)
  /// Live updates that an app has begun and not ended, by the app's identity.
  public static let liveUpdates = RecordKind(
    number: 2, name: "live updates", commitClass: .now, isCautious: true, valueSizeMax: 1_024,
    countMax: 256)
  /// The last position.
  public static let lastFix = RecordKind(
    number: 3, name: "last fix", commitClass: .lazy, isCautious: false, valueSizeMax: 256,
    countMax: 1)
  /// Which receiver is at the line.
  public static let receiverIdentity = RecordKind(
    number: 4, name: "receiver identity", commitClass: .lazy, isCautious: false,
    valueSizeMax: 1_024, countMax: 1)
  /// The speed at which the receiver answered last.
  public static let receiverSpeed = RecordKind(
    number: 5, name: "receiver speed", commitClass: .now, isCautious: false, valueSizeMax: 16,
    countMax: 1)
  /// What a receiver knows of the satellites, for a quick start, by the receiver's identity.
  public static let navigationDatabase = RecordKind(
    number: 6, name: "navigation database", commitClass: .lazy, isCautious: false,
    valueSizeMax: 24_576, countMax: 2)
  /// Counts over the life of the board.
  public static let counters = RecordKind(
    number: 7, name: "counters", commitClass: .lazy, isCautious: false, valueSizeMax: 4_096,
    countMax: 1)
  /// What an app keeps, by the app's identity and the app's own key.
  public static let appDefaults = RecordKind(
    number: 8, name: "app defaults", commitClass: .now, isCautious: false, valueSizeMax: 4_096,
    countMax: 4_096)
  /// A stretch of a track, by its number.
  public static let track = RecordKind(
    number: 9, name: "track", commitClass: .group, isCautious: false, valueSizeMax: 4_096,
    countMax: 65_536)

  /// Where the board rests, and of which configurations updates pause.
  public static let rest = RecordKind(
    number: 10, name: "rest", commitClass: .group, isCautious: false, valueSizeMax: 64,
    countMax: 1)

  /// The known losses of the state, until an operator accepts them.
  public static let damage = RecordKind(
    number: 11, name: "damage", commitClass: .now, isCautious: false, valueSizeMax: 1_024,
    countMax: 1)

  /// Numbers of the types that take something away from programs for the sake of a person: a second copy of their
  /// records is kept in the mark.
  static let protecting: [UInt16] = [locationServices.number]

  /// All of them, by number.
  public static let all: [RecordKind] = [
    locationServices, liveUpdates, lastFix, receiverIdentity, receiverSpeed, navigationDatabase,
    counters, appDefaults, track, rest, damage,
  ]

  /// The type with a number; nil for one that only a newer program knows.
  public static func kind(_ number: UInt16) -> RecordKind? {
    all.first { $0.number == number }
  }
}
