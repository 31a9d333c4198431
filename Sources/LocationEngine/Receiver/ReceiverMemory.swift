import BinnacleBasics

/// What is kept of a receiver while its device is closed and opened again.
struct ReceiverMemory: Equatable, Codable, Sendable {
  /// What the sequences want of it.
  var demand = Demand.idle
  /// The speed at which a receiver answered last.
  var lastSpeed: LastSpeed
  /// How many times in a row it was given up configuring it, since it answers no orders.
  var deafTimes = 0
  /// Switches on the sentences that a failed configuration has switched off; nil: none is off, or positions come.
  var sentenceRestorer: SentenceRestorer?
  var counters = Counters()
  var sleep = SleepStatistics()
  /// The line to its pin EXTINT; nil: the profile names none.
  var wakeLine: WakeLine?
  /// When a receiver heard a satellite last.
  var signalAt: Instant?
  /// What receivers are helped with at their start.
  var assistance = AssistanceMemory()

  enum LastSpeed: Equatable, Codable, Sendable {
    case unknown
    case baud(Int)
  }

  /// What happened how often since the start.
  struct Counters: Equatable, Codable, Sendable {
    var openings = 0
    /// Rounds through all speeds that were begun; on a bus, of its one address.
    var searches = 0
    /// It started again by itself.
    var resets = 0
    /// It was set up and sent no positions.
    var positionLosses = 0
    var solutions = 0
    var frames = 0
    var partialFramesGivenUp = 0
    /// Epochs that were cut off by a silence, a change of speed or the end of the line, and were too old to hand out.
    var solutionsDropped = 0
  }

  init(lastSpeed: Int?) {
    self.lastSpeed = lastSpeed.map { .baud(min(max($0, 300), 4_000_000)) } ?? .unknown
  }
}
