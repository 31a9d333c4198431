import StateLog

/// Whether location services are on for the whole board, for every app.
///
/// Off counts for all, and at once after its commit; on counts only after its commit. A board that has never been told
/// otherwise is on. When the last word on it is lost it is off, for it may have been that. While part of the state is lost,
/// or cannot be read, they are off, whatever the last word was, until an operator accepts the loss.
struct ServiceSwitch: Equatable, Codable, Sendable {
  /// The last decision.
  private var isDecidedOn = true
  /// The loss of state that the operator has not accepted, or why the state is unreadable; nil when the state is whole.
  private(set) var damage: String?
  /// The unreadable parts that an operator accepted for this run.
  private var acceptedObstacle: String?

  private static let name = RecordName(kind: RecordTable.locationServices.number)
  private static let damageName = RecordName(kind: RecordTable.damage.number)
  /// The most bytes of text in the record of the damage.
  private static let damageTextSizeMax = 900
  private static let damageVersion: UInt8 = 1

  var isOn: Bool { isDecidedOn && damage == nil }

  /// Takes what was read.
  ///
  /// - Parameters:
  ///   - reading: what was found.
  ///   - isFirst: whether nothing was read before; later only a decision for off counts, because what was decided meanwhile
  ///     is newer.
  /// - Returns: what has to be written, because the last word on services is lost, or more.
  mutating func adopt(_ reading: StateReading, isFirst: Bool) -> Decision<StateOrder>? {
    guard reading.obstacle == nil else {
      if reading.damage != acceptedObstacle { damage = reading.damage }
      return nil
    }
    let isLost = reading.withheld.contains(ServiceSwitch.name)
    // One byte, 1 for on; what is anything else was not written by us.
    let isRecordedOn = !isLost && reading.records[ServiceSwitch.name].map { $0 == [1] } ?? true
    isDecidedOn = isRecordedOn && (isFirst || isDecidedOn)
    let known = reading.records[ServiceSwitch.damageName].map(ServiceSwitch.damageText)
    let losses = [known, reading.damage].compactMap { $0 }
    damage = losses.isEmpty ? nil : losses.joined(separator: "; ")
    var changes: [Change] = []
    if isLost { changes.append(change(isOn: false)) }
    if let damage, damage != known { changes.append(ServiceSwitch.change(damage: damage)) }
    return changes.isEmpty ? nil : Decision(.takesAway, changes: changes, then: [])
  }

  /// The decision that turns them on or off.
  func decision(isOn: Bool) -> Decision<StateOrder> {
    Decision(
      isOn ? .gives : .takesAway, changes: [change(isOn: isOn)], then: [.setServices(isOn: isOn)])
  }

  /// The decision that accepts what is lost.
  var acceptance: Decision<StateOrder> {
    Decision(.gives, changes: [Change(ServiceSwitch.damageName, .remove)], then: [.acceptDamage])
  }

  /// Carries out what was decided.
  mutating func set(isOn: Bool) {
    isDecidedOn = isOn
  }

  /// Carries out that the loss is accepted.
  ///
  /// - Parameter isReadable: whether the state could be read; what could not is accepted for this run.
  mutating func acceptDamage(isReadable: Bool) {
    if !isReadable { acceptedObstacle = damage }
    damage = nil
  }

  private func change(isOn: Bool) -> Change {
    Change(ServiceSwitch.name, .put([isOn ? 1 : 0], isCautious: true))
  }

  private static func change(damage: String) -> Change {
    var bytes = Array(damage.utf8)
    if bytes.count > damageTextSizeMax {
      bytes = Array(bytes.prefix(damageTextSizeMax) + " ...".utf8)
    }
    return Change(damageName, .put([damageVersion] + bytes, isCautious: false))
  }

  /// The text of the record of the damage; one that cannot be read counts all the same.
  static func damageText(_ value: [UInt8]) -> String {
    guard value.first == damageVersion else { return "part of the state is lost" }
    return String(decoding: value.dropFirst(), as: UTF8.self)
  }
}
