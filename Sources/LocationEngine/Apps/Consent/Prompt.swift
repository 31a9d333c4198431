import BinnacleBasics
import BinnacleModel

/// An open request of an app that only a person can answer.
struct Prompt: Equatable, Codable, Sendable {
  let app: AppID
  let request: RequestedRight
  /// The purpose of full accuracy; nil for another request.
  let purpose: String?
  /// The program file of the process that asks; nil if it is unknown.
  let file: ProgramFile?
  /// The time of the request; nil if the time is unknown.
  var time: UTCTime?
  /// When the prompt was opened; nil while another prompt is open, or while the app is not in the foreground.
  var shownAt: Instant?
  /// Whether `PromptTimeout` has passed without an answer since the app came to the foreground.
  var hasLapsed = false

  init(_ app: AppID, _ request: RequestedRight, purpose: String? = nil, file: ProgramFile? = nil) {
    self.app = app
    self.request = request
    self.purpose = purpose
    self.file = file
  }

  /// Whether two prompts ask for the same right of the same program.
  func isSameRequest(as other: Prompt) -> Bool {
    app == other.app && request == other.request && purpose == other.purpose
      && (app.hasManifest || file == other.file)
  }
}
