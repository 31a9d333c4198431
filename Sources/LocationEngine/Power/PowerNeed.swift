/// What the open sequences need of the receiver.
enum PowerNeed: String, Equatable, Codable, Sendable {
  /// Positions.
  case updates
  /// All of them pause, because the board rests.
  case rest
  /// There are none.
  case nobody
}

/// Why a receiver that sleeps is awake for a moment.
enum ScheduledWake: String, Equatable, CaseIterable, Codable, Sendable {
  /// Without an accelerometer: is the board still where it was?
  case probe = "to see whether the board is still there"
  /// Ephemerides last four hours.
  case refresh = "to renew its ephemerides"
  /// The accelerometer feels something, too little for a verdict.
  case stirring = "because something stirs"
  /// It has never been woken: does it wake?
  case proof = "to prove that it wakes"
}

/// Why the receiver sleeps.
enum PowerCause: String, Equatable, CaseIterable, Codable, Sendable {
  case rest = "the board rests"
  case nobody = "nobody wants positions"
  case noSignal = "it heard no satellite"
}

/// What ended the last sleep, or the last try.
enum PowerWake: Equatable, Codable, Sendable {
  /// Updates go on: the board has moved.
  case motion
  /// A program has begun.
  case client
  /// It is tried again whether there are satellites.
  case search
  case look(ScheduledWake)
  /// Nobody woke it.
  case byItself

  var inWords: String {
    switch self {
    case .motion: "because the board moved"
    case .client: "for a program that began"
    case .search: "to search for satellites again"
    case .look(let look): look.rawValue
    case .byItself: "by itself"
    }
  }
}
