/// The length of a day at an equinox, with a name that an app's own target may have.
public struct Sun: Sendable {
  public init() {}

  public let hoursOfDay = 12
}
