/// The need of the open sequences for the receiver.
enum PowerNeed: String, Equatable, Codable, Sendable {
  /// Positions.
  case updates
  /// All sequences pause, because the board rests.
  case rest
  /// There are no sequences.
  case noClient
}

/// The reason why a sleeping receiver is awake for a moment.
enum ScheduledWake: String, Equatable, CaseIterable, Codable, Sendable {
  /// Without an accelerometer: checks whether the board is still at its place.
  case probe = "to see whether the board is still there"
  /// Ephemerides are valid for four hours.
  case refresh = "to renew its ephemerides"
  /// The accelerometer detects a motion that is too small for a decision.
  case movement = "because the accelerometer detects movement"
  /// The receiver has never been woken: checks whether it wakes.
  case proof = "to prove that it wakes"
}

/// The reason why the receiver sleeps.
enum PowerCause: String, Equatable, CaseIterable, Codable, Sendable {
  case rest = "the board rests"
  case noClient = "no client wants positions"
  case noSignal = "it heard no satellite"
}

/// The end of the last sleep, or of the last attempt.
enum PowerWake: Equatable, Codable, Sendable {
  /// Updates resume: the board has moved.
  case motion
  /// An app has opened a sequence.
  case client
  /// The search for satellites is repeated.
  case search
  case check(ScheduledWake)
  /// No order woke the receiver.
  case byItself

  var inWords: String {
    switch self {
    case .motion: "because the board moved"
    case .client: "for a program that began"
    case .search: "to search for satellites again"
    case .check(let check): check.rawValue
    case .byItself: "by itself"
    }
  }
}
