import BinnacleBasics

/// The facts about a receiver that outlast the closing and opening of its device.
struct ReceiverMemory: Equatable, Codable, Sendable {
  /// The demand of the sequences.
  var demand = Demand.idle
  /// The speed at which a receiver last answered.
  var lastSpeed: LastSpeed
  /// How many times in a row the configuration was given up because the receiver answered no orders.
  var deafTimes = 0
  /// Switches on the sentences that a failed configuration has switched off.
  ///
  /// nil: no sentences are off, or positions come.
  var sentenceRestorer: SentenceRestorer?
  var counters = Counters()
  var sleep = SleepStatistics()
  /// The line to the receiver's pin EXTINT; nil: the profile names no line.
  var wakeLine: WakeLine?
  /// When a receiver last heard a satellite.
  var signalAt: Instant?
  /// The assistance for receivers at their start.
  var assistance = AssistanceMemory()
  private var passing = PassedByAddress()

  enum LastSpeed: Equatable, Codable, Sendable {
    case unknown
    case baud(Int)
  }

  /// Counts since the start.
  struct Counters: Equatable, Codable, Sendable {
    var openings = 0
    /// Search rounds: through all speeds, or at the one address of a bus.
    var searches = 0
    /// Restarts of the receiver that the daemon did not order.
    var resets = 0
    /// Times at which a configured receiver sent no positions.
    var positionLosses = 0
    var solutions = 0
    var frames = 0
    var partialFramesGivenUp = 0
    /// Epochs that a silence, a change of speed or the end of the line cut off, and that were too old to be delivered.
    var solutionsDropped = 0
  }

  init(lastSpeed: Int?) {
    self.lastSpeed = lastSpeed.map { .baud(min(max($0, 300), 4_000_000)) } ?? .unknown
  }
}
