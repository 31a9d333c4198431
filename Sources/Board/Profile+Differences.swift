import BinnacleModel

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
    ]
    let doors = DoorKind.allCases.map { kind in
      (name: kind.section, isDifferent: door(kind) != other.door(kind))
    }
    return (sections + doors).filter(\.isDifferent).map(\.name)
  }

  private func door(_ kind: DoorKind) -> Door? { doors.first { $0.kind == kind } }
}
