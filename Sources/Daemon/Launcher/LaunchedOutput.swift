/// A line that an app has printed, or a number of lines that were dropped.
struct LaunchedOutput: Equatable {
  var identifier: String
  /// The line; nil: lines were dropped.
  var line: String?
  var lostCount: UInt32 = 0

  init(identifier: String, _ line: String) {
    self.identifier = identifier
    self.line = line
  }

  init(identifier: String, lostCount: UInt32) {
    self.identifier = identifier
    line = nil
    self.lostCount = lostCount
  }
}
