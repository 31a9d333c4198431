/// Durations in words for people.
enum DurationText {
  static func words(_ seconds: Double) -> String {
    let seconds = Int64(min(max(seconds.rounded(), 0), 1e15))
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7_200 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
  }
}
