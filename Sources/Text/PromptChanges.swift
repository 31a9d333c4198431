public import BinnacleModel

/// The requests of apps that have come or gone between two lists of open requests.
public struct PromptChanges {
  private var open: [Report] = []
  private let includesShowing: Bool

  /// - Parameter includesShowing: whether a change of the item `shown` of an open request counts, too.
  public init(includesShowing: Bool = false) {
    self.includesShowing = includesShowing
  }

  /// Takes the open requests, one row each.
  ///
  /// - Parameter rows: the rows.
  /// - Returns: the requests that have gone, then those that the board no longer shows or shows now, then those that have
  ///   come. The item `open` is false in the requests that have gone.
  public mutating func take(_ rows: [Report]) -> [Report] {
    let gone = PromptChanges.rows(open, without: rows)
    let come = PromptChanges.rows(rows, without: open)
    let turned = includesShowing ? rows.filter { isTurned($0) } : []
    // A request makes room before the next one is shown.
    let hidden = turned.filter { $0[.rowIsShown] != true }
    let shown = turned.filter { $0[.rowIsShown] == true }
    open = rows
    return gone.map { PromptChanges.row($0, isOpen: false) }
      + (hidden + shown + come).map { PromptChanges.row($0, isOpen: true) }
  }

  /// Whether a request was open before, and the board has begun or ceased to show it.
  private func isTurned(_ row: Report) -> Bool {
    open.contains { old in
      PromptChanges.isSame(old, row) && (old[.rowIsShown] == true) != (row[.rowIsShown] == true)
    }
  }

  /// The rows that are in the first list only.
  ///
  /// Two versions of one program may ask with equal rows; each row of the second list stands for one row of the first.
  private static func rows(_ rows: [Report], without others: [Report]) -> [Report] {
    var others = others
    return rows.filter { row in
      guard let index = others.firstIndex(where: { isSame($0, row) }) else { return true }
      others.remove(at: index)
      return false
    }
  }

  /// Whether two rows are of one request; the person may see it later than it comes.
  private static func isSame(_ one: Report, _ other: Report) -> Bool {
    one[.rowID] == other[.rowID] && one[.rowRequest] == other[.rowRequest]
      && one[.rowText] == other[.rowText]
  }

  private static func row(_ row: Report, isOpen: Bool) -> Report {
    var row = row
    if !isOpen {
      // A request that is answered or withdrawn is in front of no person, whatever its last row says.
      row.items = row.items.map { item in
        item.name == ReportKey.rowIsShown.name
          ? Report.Item(name: item.name, value: .flag(false)) : item
      }
    }
    row.add(.rowIsOpen, isOpen)
    return row
  }
}
