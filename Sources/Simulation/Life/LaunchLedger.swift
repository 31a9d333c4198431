import BinnacleBasics

/// When an app was launched, and when it may be launched again: at most five launches in ten minutes, then pauses of 1, 2, 4
/// to 60 minutes.
struct LaunchLedger: Sendable {
  private static let burst = 5
  private static let period = Interval.seconds(600)
  private static let pauseMax = Interval.seconds(3_600)

  /// The launches since a person has started the app.
  private var launches: [Instant] = []
  /// The launches since the app has run for ten minutes.
  private var inRow = 0

  /// The first instant at which the app may be launched.
  var nextLaunch: Instant {
    guard let last = launches.last, inRow >= LaunchLedger.burst else { return .zero }
    var pause = Interval.seconds(60)
    for _ in LaunchLedger.burst..<min(inRow, LaunchLedger.burst + 6) { pause = pause + pause }
    let paced = last + min(pause, LaunchLedger.pauseMax)
    guard launches.count >= LaunchLedger.burst else { return paced }
    return max(paced, launches[launches.count - LaunchLedger.burst] + LaunchLedger.period)
  }

  /// Notes a launch; returns the broken rule.
  mutating func launched(byPerson: Bool, at now: Instant) -> String? {
    if byPerson { (launches, inRow) = ([], 0) }
    let isEarly = now < nextLaunch
    if let last = launches.last, now - last >= LaunchLedger.period, inRow < LaunchLedger.burst {
      inRow = 0
    }
    launches.append(now)
    inRow += 1
    let recent = launches.count { now - $0 < LaunchLedger.period }
    if recent > LaunchLedger.burst { return "launched \(recent) times in ten minutes" }
    return isEarly ? "launched before the end of its pause" : nil
  }

  /// The app has ended after it had run for a time.
  mutating func ended(after time: Interval) {
    if time >= LaunchLedger.period { inRow = 0 }
  }
}
