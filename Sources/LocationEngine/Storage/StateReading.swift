public import BinnacleModel
public import StateLog

/// The content of the log of state, read at the start or when the log could be opened later.
///
/// A withheld record is not an absent record. The record existed, and its last change may be lost. The reader of a
/// withheld record chooses the careful value and writes it, because the next start finds no trace of the record.
public struct StateReading: Equatable, Codable, Sendable {
  /// The acknowledged records.
  public var records: RecordSet
  /// Records that are withheld, because a later change of the record may be lost.
  public var withheld: [RecordName]
  /// The layout of the log.
  public var geometry: LogGeometry
  /// Why no record can be kept; nil without an obstacle.
  public var obstacle: StateFault?
  /// Acknowledged records that are lost or unreadable.
  ///
  /// They may include a decision that took something away.
  public var damage: String?
  /// Events at the place of the log, and losses, for a person.
  public var notes: [Note]

  /// The changes that keep location services off after a loss.
  ///
  /// The engine stores them. The store writes them before it removes the only trace of the loss,
  /// because a power cut may come before the engine's commit. They are empty without a loss, and if
  /// ``records`` already have them.
  public var carefulChanges: [Change] {
    ServiceSwitch.changes(after: self).filter { !records.isUnchanged(by: $0) }
  }

  /// A line for the log.
  public struct Note: Equatable, Codable, Sendable {
    public var level: LogLevel
    public var text: String

    public init(_ level: LogLevel, _ text: String) {
      self.level = level
      self.text = text
    }
  }

  public init(
    records: RecordSet = RecordSet(), withheld: [RecordName] = [],
    geometry: LogGeometry = .ofFile, obstacle: StateFault? = nil, damage: String? = nil,
    notes: [Note] = []
  ) {
    self.records = records
    self.withheld = withheld
    self.geometry = geometry
    self.obstacle = obstacle
    self.damage = damage
    self.notes = notes
  }
}
