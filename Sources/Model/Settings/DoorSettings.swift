/// A door of the board's profile, as far as it is about the rights of the door's readers.
public struct DoorSettings: Equatable, Codable, Sendable {
  /// The name of the door in the names of its readers, such as `nmea`.
  public var name: String
  /// `Grant`: the readers that get locations without the answer of an operator.
  public var grants: [ReaderGrant]

  /// The grant of the profile for a reader.
  public struct ReaderGrant: Equatable, Codable, Sendable {
    /// nil: every reader of the door.
    public var reader: DoorReader?
    /// Whether the reader gets the cell of a grid in place of the position.
    public var isReduced: Bool

    public init(_ reader: DoorReader?, isReduced: Bool = false) {
      self.reader = reader
      self.isReduced = isReduced
    }
  }

  public init(name: String, grants: [ReaderGrant] = []) {
    self.name = name
    self.grants = grants
  }

  /// The grant that counts for a reader: that of the reader itself, else that of every reader; nil without a grant.
  public func grant(of reader: DoorReader) -> ReaderGrant? {
    grants.first { $0.reader == reader } ?? grants.first { $0.reader == nil }
  }
}
