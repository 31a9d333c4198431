/// Encoding of records outside a log: consecutive records as in `Docs/SPEC-state.md`.
extension RecordSet {
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encodedSize)
    for entry in entries { entry.change.encode(into: &bytes) }
    return bytes
  }

  /// - Returns: nil if a byte of a record is damaged or missing.
  public init?(decoding bytes: [UInt8]) {
    guard let changes = Change.decodeAll(bytes) else { return nil }
    self.init()
    for change in changes { apply(change) }
  }
}
