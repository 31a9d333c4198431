extension Profile {
  /// The sections in which this profile differs from another one, by their names in the file.
  public func sections(differentFrom other: Profile) -> [String] {
    let sections: [(name: String, isDifferent: Bool)] = [
      ("Board", board != other.board),
      (
        "Receiver",
        receiver != other.receiver || navigation != other.navigation || power != other.power
      ),
      ("Accelerometer", accelerometer != other.accelerometer),
      ("Motion", motion != other.motion),
      ("Indicator", indicator != other.indicator),
      ("StatusLED", statusLED != other.statusLED),
      ("Button", buttons != other.buttons),
      ("Buttons", buttonTiming != other.buttonTiming),
      ("Clients", clients != other.clients),
      ("Location", consent != other.consent),
      ("Console", console != other.console),
      ("Apps", life != other.life),
      ("Track", track != other.track),
      ("Door NMEA", sentenceDoor != other.sentenceDoor),
    ]
    return sections.filter(\.isDifferent).map(\.name)
  }
}
