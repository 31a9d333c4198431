import BinnacleModel

extension SetupMachine {
  /// The events that are logged.
  enum LogWord: Equatable, Sendable {
    case unsupported(String)
    case different(String)
    case unanswered(String)
    /// The receiver acknowledges orders and does not report its settings.
    case answersNoQuestion
    case raised(Int)
    case notRaised(String)
    /// This firmware refuses the position message, and the next position message is ordered.
    case carrierRefused(PositionMessage, next: PositionMessage)
    case complete(VerifiedConfiguration)
    /// All orders were tried, and the receiver did not take some of them.
    case incomplete(VerifiedConfiguration)
  }
}

extension SetupMachine.LogWord {
  var level: LogLevel {
    switch self {
    case .unsupported, .raised, .complete: .info
    case .different, .unanswered, .answersNoQuestion, .notRaised, .carrierRefused, .incomplete:
      .warning
    }
  }

  var line: String {
    switch self {
    case .unsupported(let name): "this firmware refuses \(name)"
    case .different(let text): "read back: \(text)"
    case .unanswered(let name): "no answer to \(name)"
    case .answersNoQuestion:
      "it acknowledges orders and answers no poll; its configuration cannot be read back"
    case .raised(let speed): "the line runs at \(speed) baud now"
    case .notRaised(let why): "the line stays at its speed: \(why)"
    case .carrierRefused(let carrier, let next):
      "this firmware refuses \(carrier.name); asking for \(next.name) instead"
    case .complete(let proven): "configured: \(proven.inWords)"
    case .incomplete(let proven):
      "it did not take all of its configuration: \(proven.inWords), positions in "
        + (proven.carrier?.name ?? "what it sends by itself")
    }
  }
}
