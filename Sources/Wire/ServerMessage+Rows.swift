import BinnacleBasics
public import BinnacleModel

extension ServerMessage {
  /// The most rows in one message.
  ///
  /// A row has at most 16 values, and a packet has room for 32 rows of 2,000 bytes.
  static let rowsMax = 32

  /// The messages of a list; an empty list is one message.
  public static func rows(request: UInt32, of rows: [Report]) -> [ServerMessage] {
    var messages: [ServerMessage] = []
    var start = 0
    repeat {
      let end = min(start + rowsMax, rows.count)
      messages.append(
        .rows(request: request, isLast: end == rows.count, Array(rows[start..<end])))
      start = end
    } while start < rows.count
    return messages
  }
}
