import BinnacleBasics

/// When an app was launched, and when it may be launched again.
///
/// There are at most five launches in ten minutes, then pauses of 1, 2, 4 to 60 minutes. A refused start is no launch; pauses of
/// 2, 4, 8 to 60 s follow refused starts.
struct LaunchLedger: Sendable {
  private static let burst = 5
  private static let period = Interval.seconds(600)
  private static let pauseMax = Interval.seconds(3_600)

  /// The launches since a person has started the app.
  private var launches: [Instant] = []
  /// The launches since the app has run for ten minutes.
  private var inRow = 0
  /// The starts that were refused since the last launch, and when the last one was refused.
  private var refused: (count: Int, at: Instant)?

  /// The first instant at which the app may be launched.
  var nextLaunch: Instant {
    guard let refused else { return afterLaunches }
    let pauses: [Int64] = [2, 4, 8, 16, 32]
    let pause = refused.count <= pauses.count ? pauses[refused.count - 1] : 60
    return max(afterLaunches, refused.at + .seconds(pause))
  }

  private var afterLaunches: Instant {
    guard let last = launches.last, inRow >= LaunchLedger.burst else { return .zero }
    var pause = Interval.seconds(60)
    for _ in LaunchLedger.burst..<min(inRow, LaunchLedger.burst + 6) { pause = pause + pause }
    let paced = last + min(pause, LaunchLedger.pauseMax)
    guard launches.count >= LaunchLedger.burst else { return paced }
    return max(paced, launches[launches.count - LaunchLedger.burst] + LaunchLedger.period)
  }

  /// The daemon orders a start; returns the broken rule.
  mutating func ordered(byPerson: Bool, at now: Instant) -> String? {
    if byPerson { (launches, inRow, refused) = ([], 0, nil) }
    let recent = 1 + launches.count { now - $0 < LaunchLedger.period }
    if recent > LaunchLedger.burst { return "launched \(recent) times in ten minutes" }
    return now < nextLaunch ? "launched before the end of its pause" : nil
  }

  /// The launcher has carried out a start.
  mutating func launched(at now: Instant) {
    refused = nil
    if let last = launches.last, now - last >= LaunchLedger.period, inRow < LaunchLedger.burst {
      inRow = 0
    }
    launches.append(now)
    inRow += 1
  }

  /// The launcher has refused a start.
  mutating func wasRefused(at now: Instant) { refused = ((refused?.count ?? 0) + 1, now) }

  /// The app has ended after it had run for a time.
  mutating func ended(after time: Interval) {
    if time >= LaunchLedger.period { inRow = 0 }
  }
}
