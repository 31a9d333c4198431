import BinnacleBasics
import BinnacleModel

@testable import LocationEngine

/// A strip of a second's parts: what comes in above, what each sequence sees below.
///
/// `f` is a fix, `u` an update that says `locationUnavailable`, `d` one that says `authorizationDenied`, `i` `insufficientlyInUse`, `-` nothing. `R` comes
/// in when the board has rested for every dwell, with a fix; `M` when it moves again, with a fix; `r` and `m` are the same
/// without one. `s` is a fix that says `stationary`.
struct Marbles {
  var engine: Engine
  var now = Instant.zero
  var step = Interval.seconds(1)
  private let peer: Peer

  static let client = ClientID(number: 1)

  init(
    user: UInt32 = 0, isOperator: Bool = true, _ adjust: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    adjust(&configuration)
    engine = Engine(configuration: configuration, seed: 1)
    peer = Peer(
      userID: user, processID: 1, app: .unlisted(userID: user, executable: "/usr/bin/marbles"),
      isOperator: isOperator)
    engine.apps.connected(Marbles.client, peer, program: "marbles", at: .zero)
  }

  /// The process of the app is killed.
  mutating func leave(_ client: ClientID = Marbles.client) {
    engine.apps.disconnected(client, leaving: engine.updates.clientLeft(client), at: now)
  }

  /// Another one takes up its first sequence; answers what that sees at once.
  mutating func comeBack(isResting: Bool) -> String {
    engine.apps.connected(Marbles.client, peer, program: "marbles", at: now)
    var effects: [Effect] = []
    engine.open(SequenceID(number: 1), .default, of: Marbles.client, at: now, into: &effects)
    engine.updates.restJudged(
      for: engine.apps, at: now, isResting: { _, _ in isResting }, into: &effects)
    return Marbles.letters(of: effects, for: SequenceID(number: 1))
  }

  mutating func open(_ id: UInt32, _ configuration: LiveConfiguration = .default) -> String {
    var effects: [Effect] = []
    engine.open(
      SequenceID(number: id), configuration, of: Marbles.client, at: now, into: &effects)
    return Marbles.letters(of: effects, for: SequenceID(number: id))
  }

  /// Plays the strip and answers what the sequence saw.
  mutating func play(_ strip: String, for id: UInt32 = 1) -> String {
    var seen = ""
    for letter in strip {
      var effects: [Effect] = []
      while let due = engine.updates.nextDeadline, due <= now {
        engine.updates.deadlineReached(for: engine.apps, at: due, into: &effects)
      }
      if "rRmM".contains(letter) {
        engine.updates.restJudged(
          for: engine.apps, at: now, isResting: { _, _ in letter == "r" || letter == "R" },
          into: &effects)
      }
      if "fRM".contains(letter) {
        engine.updates.fixJudged(fix, for: engine.apps, at: now, into: &effects)
      }
      let letters = Marbles.letters(of: effects, for: SequenceID(number: id))
      seen += letters.isEmpty ? "-" : letters
      now += step
    }
    return seen
  }

  /// The board has rested for every dwell.
  mutating func rest() {
    var effects: [Effect] = []
    engine.updates.restJudged(
      for: engine.apps, at: now, isResting: { _, _ in true }, into: &effects)
  }

  mutating func setServices(isOn: Bool) -> String {
    var effects: [Effect] = []
    engine.apps.services.set(isOn: isOn)
    engine.updates.entitlementsChanged(engine.apps, at: now, into: &effects)
    return Marbles.letters(of: effects, for: SequenceID(number: 1))
  }

  var fix: Fix {
    Fix(
      latitude: 48, longitude: 11, horizontalAccuracy: 3,
      time: UTCTime(secondsSince1970: 1_790_000_000) + (now - .zero))
  }

  static func letters(of effects: [Effect], for id: SequenceID) -> String {
    var letters = ""
    for case .client(_, .deliver(let sequences, let update)) in effects where sequences.contains(id)
    {
      switch (update.fix != nil, update.flags) {
      case (true, []): letters += "f"
      case (true, .stationary): letters += "s"
      case (false, .locationUnavailable): letters += "u"
      case (false, .authorizationDenied): letters += "d"
      case (false, .insufficientlyInUse): letters += "i"
      case _: letters += "?"
      }
    }
    return letters
  }
}
