import BinnacleBasics

/// When an app that has ended may be launched again.
///
/// At most ``burstMax`` launches begin within ``burstPeriod``. From then on each launch is followed by a pause, which
/// doubles with each launch up to ``pauseMax``. An app that has run for ``burstPeriod`` begins anew.
///
/// A start that the launcher refuses is no launch. It is followed by a pause of ``refusalPauseMin``, which doubles with each further
/// refusal up to ``refusalPauseMax``.
struct LaunchPace: Equatable, Codable, Sendable {
  static let burstMax = 5
  static let burstPeriod = Interval.seconds(600)
  static let pauseMin = Interval.seconds(60)
  static let pauseMax = Interval.seconds(3_600)
  static let refusalPauseMin = Interval.seconds(2)
  static let refusalPauseMax = Interval.seconds(60)

  /// The launches of the last burst period, the oldest first.
  private var launches: [Instant] = []
  /// Launches since the app has last run for a burst period.
  private var launchesInRow = 0
  /// Refused starts since the last launch.
  private var refusalsInRow = 0
  private var refusedUntil = Instant.zero

  /// The number of launches since the daemon's start.
  private(set) var count = 0

  /// The first instant at which the next launch may begin.
  var nextLaunch: Instant { max(refusedUntil, afterLaunches) }

  /// The end of the pause after the launches.
  private var afterLaunches: Instant {
    guard let last = launches.last else { return .zero }
    let excess = launchesInRow - LaunchPace.burstMax
    guard excess >= 0 else { return last }
    let pause = (0..<min(excess, 6)).reduce(LaunchPace.pauseMin) { pause, _ in pause + pause }
    let paced = last + min(pause, LaunchPace.pauseMax)
    guard launches.count >= LaunchPace.burstMax else { return paced }
    return max(paced, launches[launches.count - LaunchPace.burstMax] + LaunchPace.burstPeriod)
  }

  /// The launcher has started the app.
  mutating func launched(at now: Instant) {
    refusalsEnded()
    if let last = launches.last, now - last >= LaunchPace.burstPeriod,
      launchesInRow < LaunchPace.burstMax
    {
      launchesInRow = 0
    }
    launches.removeAll { now - $0 >= LaunchPace.burstPeriod }
    launches.append(now)
    launchesInRow += 1
    count += 1
  }

  /// The app has ended after it had run since `start`.
  mutating func ended(after start: Instant, at now: Instant) {
    if now - start >= LaunchPace.burstPeriod { launchesInRow = 0 }
  }

  /// The launcher has refused to start the app.
  mutating func refused(at now: Instant) {
    let pause = (0..<min(refusalsInRow, 5)).reduce(LaunchPace.refusalPauseMin) { pause, _ in
      pause + pause
    }
    refusedUntil = now + min(pause, LaunchPace.refusalPauseMax)
    refusalsInRow += 1
  }

  private mutating func refusalsEnded() { (refusalsInRow, refusedUntil) = (0, .zero) }

  /// A person starts the app, so the pauses begin anew.
  mutating func startedByPerson() {
    launches = []
    launchesInRow = 0
    refusalsEnded()
  }
}
