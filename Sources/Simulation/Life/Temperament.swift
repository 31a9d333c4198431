import BinnacleBasics

/// How the program of an app behaves when it is launched, and when it is informed, frozen, resumed or asked to end.
enum Temperament: String, CaseIterable, Sendable {
  /// Takes up its session and its updates as soon as it runs.
  case good
  /// Begins a background task when it is informed of its suspension.
  case stubborn
  /// Ends by a signal within a second of its launch.
  case crashes
  /// Ends with status 0 within a second of its launch.
  case exits
  /// Starts a second process, which is an app's process too.
  case forks
  /// Starts a second process, and ends with status 0.
  case daemonizes
  /// Does nothing any more once it was frozen.
  case hangs
  /// Never connects to the daemon.
  case silent
  /// Ignores SIGTERM.
  case ignoresTermination
  /// Connects, and takes its session up too late.
  case slow

  /// A program of a crowd is mostly what its app is; now and then it is another.
  static func drawn(_ usual: Temperament, _ random: inout Random) -> Temperament {
    if random.chance(0.65) { return usual }
    if random.chance(0.5) { return .good }
    return allCases[Int(random.next() % UInt64(allCases.count))]
  }
}
