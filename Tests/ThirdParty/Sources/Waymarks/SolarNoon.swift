import CoreLocation
import Foundation

extension CLLocationCoordinate2D {
  /// The time of the sun's highest position on the UTC day of a date, within about a minute; nil if the coordinate is not valid.
  public func solarNoon(on date: Date) -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    guard CLLocationCoordinate2DIsValid(self),
      let day = calendar.ordinality(of: .day, in: .year, for: date)
    else { return nil }
    // The equation of time, in minutes.
    let angle = 2 * Double.pi / 365 * Double(day - 81)
    let equationOfTime = 9.87 * sin(2 * angle) - 7.53 * cos(angle) - 1.5 * sin(angle)
    let minutes = 720 - 4 * longitude - equationOfTime
    return calendar.startOfDay(for: date).addingTimeInterval(60 * minutes)
  }
}
