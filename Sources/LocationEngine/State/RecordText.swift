import BinnacleModel
public import StateLog

/// What a record says, for a person who may look at everything.
public enum RecordText {
  /// - Parameters:
  ///   - entry: the record.
  ///   - showsPlaces: whether positions are shown.
  /// - Returns: nil when there are no words for it, or it is a position that is not to be shown.
  public static func words(for entry: RecordSet.Entry, showsPlaces: Bool) -> String? {
    switch entry.name.kind {
    case RecordTable.locationServices.number: return entry.value == [1] ? "on" : "off"
    case RecordTable.damage.number: return ServiceSwitch.damageText(entry.value)
    case RecordTable.receiverSpeed.number:
      return ReceiverSpeedRecord(entry.value).map { "\($0.speed) baud" }
    case RecordTable.receiverIdentity.number: return ReceiverKey(bytes: entry.value)?.text
    case RecordTable.liveUpdates.number:
      return (try? LiveUpdatesRecord(decoding: entry.value)).map { "\($0)" }
    case RecordTable.lastFix.number:
      guard showsPlaces, let place = LastPlace(bytes: entry.value) else { return nil }
      let degrees = [place.latitudeE7, place.longitudeE7].map { "\(Double($0) / 1e7)" }
      return degrees.joined(separator: ", ")
        + " ±\(Double(place.accuracyMillimeters) / 1_000) m, "
        + place.time.rfc3339(fractionDigits: 0)
    case RecordTable.rest.number:
      guard let rest = RestRecord(bytes: entry.value) else { return nil }
      let paused = LiveConfiguration.allCases.filter(rest.contains).map(\.name)
      let since = rest.spot.time.rfc3339(fractionDigits: 0)
      let text = "\(paused.joined(separator: ", ")) paused since \(since)"
      guard showsPlaces else { return text }
      let place = rest.spot.place
      return text + " at \(place.latitude), \(place.longitude) ±\(place.accuracyMeters) m"
    case _: return nil
    }
  }
}
