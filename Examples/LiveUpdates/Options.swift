/// The options of the command line.
struct Options: Sendable {
  var mustResume = false
  var hasSession = false
  var isBackground = false
  var showsView = false
  var printsJSON = false
  var seconds = Double.infinity

  static let usage =
    "usage: LiveUpdates [--resume] [--session] [--background] [--view] [--json] [--seconds N]"

  /// Reads the command line; nil for a wrong one.
  ///
  /// - Parameter words: the command line without the program.
  init?(_ words: some Sequence<String>) {
    var words = Array(words)[...]
    func takes(_ option: String) -> Bool {
      guard words.first == option else { return false }
      words.removeFirst()
      return true
    }
    mustResume = takes("--resume")
    hasSession = takes("--session")
    isBackground = takes("--background")
    showsView = takes("--view")
    printsJSON = takes("--json")
    if words.isEmpty { return }
    guard words.count == 2, words.first == "--seconds", let text = words.last,
      let seconds = Double(text), seconds > 0
    else { return nil }
    self.seconds = seconds
  }
}
