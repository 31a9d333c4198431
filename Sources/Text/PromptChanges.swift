public import BinnacleModel

/// The requests of apps that have come or gone between two lists of open requests.
public struct PromptChanges {
  private var open: [Report] = []

  public init() {}

  /// Takes the open requests, one row each.
  ///
  /// - Parameter rows: the rows.
  /// - Returns: the requests that have gone, then those that have come; the item `open` tells the two kinds apart.
  public mutating func take(_ rows: [Report]) -> [Report] {
    let gone = open.filter { old in !rows.contains { PromptChanges.isSame($0, old) } }
    let come = rows.filter { row in !open.contains { PromptChanges.isSame($0, row) } }
    open = rows
    return gone.map { PromptChanges.row($0, isOpen: false) }
      + come.map { PromptChanges.row($0, isOpen: true) }
  }

  /// Whether two rows are of one request; the person may see it later than it comes.
  private static func isSame(_ one: Report, _ other: Report) -> Bool {
    one[.rowID] == other[.rowID] && one[.rowRequest] == other[.rowRequest]
      && one[.rowText] == other[.rowText]
  }

  private static func row(_ row: Report, isOpen: Bool) -> Report {
    var row = row
    row.add(.rowIsOpen, isOpen)
    return row
  }
}
