import StateLog

/// Whether location services are on for the whole board, for every app.
///
/// Off counts for all, and at once after its commit; on counts only after its commit. A board that has never been told
/// otherwise is on. When the last word on it is lost it is off, for it may have been that.
struct ServiceSwitch: Equatable, Codable, Sendable {
  private(set) var isOn = true

  private static let name = RecordName(kind: RecordTable.locationServices.number)

  /// What was read, at the start; answers what has to be written because the last word on it is lost.
  mutating func adopt(_ reading: StateReading) -> Decision<StateOrder>? {
    if reading.withheld.contains(ServiceSwitch.name) {
      isOn = false
      return decision(isOn: false)
    }
    guard let value = reading.records[ServiceSwitch.name] else { return nil }
    // One byte, 1 for on; what is anything else was not written by us.
    isOn = value == [1]
    return nil
  }

  /// The decision that turns them on or off.
  func decision(isOn: Bool) -> Decision<StateOrder> {
    let change = Change(ServiceSwitch.name, .put([isOn ? 1 : 0], isCautious: true))
    return Decision(
      isOn ? .gives : .takesAway, changes: [change], then: [.setServices(isOn: isOn)])
  }

  /// Carries out what was decided.
  mutating func set(isOn: Bool) {
    self.isOn = isOn
  }
}
