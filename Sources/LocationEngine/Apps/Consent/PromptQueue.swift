import BinnacleBasics
import BinnacleModel

/// The open requests of apps, in the order of their arrival; the person sees one at a time.
///
///     waiting --its app is in front, no earlier prompt is--> shown --answer--> removed
///     shown --its app leaves the front--> waiting
///     shown --PromptTimeout, and another prompt waits--> waiting
///     any --the app no longer wants locations--> removed
///
/// The lamp blinks for `PromptTimeout` while a prompt is shown. The request stays open afterwards, and shown until another
/// prompt needs the place.
struct PromptQueue: Equatable, Codable, Sendable {
  private(set) var prompts: [Prompt] = []
  /// `PromptTimeout`: how long the lamp flashes for a prompt.
  var timeout: Interval

  /// An app beyond this number waits until another request is answered.
  static let countMax = 16
  /// The most requests of programs without a manifest that run as one user.
  static let unlistedPerUserMax = 8
  /// The most requests of all programs without a manifest; places remain for the apps of manifests.
  static let unlistedMax = 12

  init(timeout: Interval) {
    self.timeout = timeout
  }

  func contains(where isWanted: (Prompt) -> Bool) -> Bool { prompts.contains(where: isWanted) }

  /// Whether a program has an open request.
  func contains(_ app: AppID, _ request: RequestedRight, _ file: ProgramFile?) -> Bool {
    contains { $0.isSameRequest(as: Prompt(app, request, file: file)) }
  }

  /// The open requests for which a further request of an app waits; nil if there is a place.
  func obstacle(to app: AppID) -> Obstacle? {
    if prompts.count >= PromptQueue.countMax { return .allPlaces }
    guard !app.hasManifest else { return nil }
    let unlisted = prompts.filter { !$0.app.hasManifest }
    if unlisted.count >= PromptQueue.unlistedMax { return .placesOfUnlisted }
    let own = unlisted.count { $0.app.userID == app.userID }
    return own >= PromptQueue.unlistedPerUserMax ? .placesOfUser : nil
  }

  enum Obstacle: Equatable {
    /// All places are taken.
    case allPlaces
    /// Programs without a manifest have taken all of their places.
    case placesOfUnlisted
    /// Programs of the app's user without a manifest have taken all of their places.
    case placesOfUser

    /// The open requests, for a person.
    var inWords: String {
      switch self {
      case .allPlaces: "\(PromptQueue.countMax) requests are open"
      case .placesOfUnlisted:
        "\(PromptQueue.unlistedMax) requests of programs without a manifest are open"
      case .placesOfUser:
        "\(PromptQueue.unlistedPerUserMax) requests of programs of its user without a manifest are open"
      }
    }
  }

  /// The open prompt.
  var shown: Prompt? { prompts.first { $0.shownAt != nil } }

  /// The request of an app that an answer is for: the one that the person sees, else the first; nil without a request.
  func request(of app: AppID) -> Prompt? {
    shown.flatMap { $0.app == app ? $0 : nil } ?? prompts.first { $0.app == app }
  }

  /// Adds a request; returns false if it is open already, or if there is no place.
  mutating func add(_ prompt: Prompt) -> Bool {
    guard !contains(where: prompt.isSameRequest), obstacle(to: prompt.app) == nil else {
      return false
    }
    prompts.append(prompt)
    return true
  }

  /// Removes the requests that a condition selects.
  mutating func remove(where isObsolete: (Prompt) -> Bool) {
    prompts.removeAll(where: isObsolete)
  }

  /// Chooses the shown prompt: the first of an app in the foreground that was not shown for `PromptTimeout`.
  ///
  /// - Returns: the prompt that is shown from now on; nil if the shown prompt has not changed, or if there is none.
  mutating func settle(isInFront: (AppID) -> Bool, at now: Instant) -> Prompt? {
    for index in prompts.indices {
      if !isInFront(prompts[index].app) {
        prompts[index].hasLapsed = false
      } else if let shownAt = prompts[index].shownAt, shownAt + timeout <= now {
        prompts[index].hasLapsed = true
      }
    }
    let front = prompts.indices.filter { isInFront(prompts[$0].app) }
    let first =
      front.first { !prompts[$0].hasLapsed } ?? front.first { prompts[$0].shownAt != nil }
      ?? front.first
    for index in prompts.indices where index != first { prompts[index].shownAt = nil }
    guard let first, prompts[first].shownAt == nil else { return nil }
    prompts[first].shownAt = now
    prompts[first].hasLapsed = false
    return prompts[first]
  }

  /// Until when the lamp flashes; nil if no prompt is shown, or if the shown prompt has lapsed.
  var blinkEnd: Instant? {
    shown.flatMap { prompt in prompt.hasLapsed ? nil : prompt.shownAt.map { $0 + timeout } }
  }

  /// Whether a prompt waits for the place of the shown one.
  var hasWaiting: Bool { prompts.count > 1 }

  /// Whether the lamp flashes for a prompt.
  func isBlinking(at now: Instant) -> Bool { blinkEnd.map { now < $0 } ?? false }
}
