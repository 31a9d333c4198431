import BinnacleBasics

/// How long the receiver was on: in the last hour, in the last day, and since the start.
///
/// An hour is kept as 60 minutes and a day as 24 hours, so the numbers are accurate to a minute and to an hour.
struct OnTimeStatistics: Equatable, Codable, Sendable {
  private var total = Interval.zero
  private var minutes = Ring(count: 60, span: .seconds(60))
  private var hours = Ring(count: 24, span: .seconds(3_600))
  private var start: Instant?
  private var runningSince: Instant?

  /// Time in a ring of spans; the newest span is under way.
  private struct Ring: Equatable, Codable, Sendable {
    private var spans: [Interval]
    private let span: Interval
    private var newest: Int64 = 0

    init(count: Int, span: Interval) {
      spans = Array(repeating: .zero, count: count)
      self.span = span
    }

    mutating func advance(to now: Instant) {
      let number = now.nanoseconds / span.nanoseconds
      for next in (newest + 1)...max(newest + 1, min(number, newest + Int64(spans.count)))
      where next <= number {
        spans[place(next)] = .zero
      }
      // Spans older than the ring were cleared by one full turn.
      if number - newest > Int64(spans.count) { spans = spans.map { _ in .zero } }
      newest = max(newest, number)
    }

    mutating func add(from start: Instant, to end: Instant) {
      var start = max(start, Instant(nanoseconds: end.nanoseconds - span.nanoseconds * 100))
      while start < end {
        let number = start.nanoseconds / span.nanoseconds
        advance(to: start)
        let next = min(end, Instant(nanoseconds: (number + 1) * span.nanoseconds))
        spans[place(number)] = spans[place(number)] + (next - start)
        start = next
      }
      advance(to: end)
    }

    var sum: Interval { spans.reduce(.zero) { $0 + $1 } }

    private func place(_ number: Int64) -> Int { Int(number % Int64(spans.count)) }
  }

  mutating func run(_ runs: Bool, at now: Instant) {
    if start == nil { start = now }
    if runs == (runningSince != nil) { return }
    guard let since = runningSince else { return runningSince = now }
    add(from: since, to: now)
    runningSince = nil
  }

  private mutating func add(from since: Instant, to now: Instant) {
    total = total + (now - since)
    minutes.add(from: since, to: now)
    hours.add(from: since, to: now)
  }

  /// The receiver's on-time in the last hour, in the last day and since the start, and the uptime, in seconds.
  struct Figures: Equatable, Sendable {
    var hour: Double
    var day: Double
    var sinceStart: Double
    var uptime: Double
  }

  func figures(at now: Instant) -> Figures {
    var statistics = self
    if let runningSince { statistics.add(from: runningSince, to: now) }
    statistics.minutes.advance(to: now)
    statistics.hours.advance(to: now)
    return Figures(
      hour: statistics.minutes.sum.seconds, day: statistics.hours.sum.seconds,
      sinceStart: statistics.total.seconds, uptime: start.map { (now - $0).seconds } ?? 0)
  }
}
