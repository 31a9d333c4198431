extension Body {
  /// The paths of `binnacle-sim receiver --path`, with the shaking of the body on each path.
  ///
  /// At the end of motorway, flight, ferry and theft the body jumps back to the start. The other paths end at the
  /// start.
  public enum Path: String, CaseIterable, Codable, Sendable {
    /// At rest, without any shaking.
    case still
    /// Around a block in a town and back to the curb: rest, drive, stop at a light, four right turns; the engine runs.
    case journey
    /// A walk around the same block.
    case walk
    /// Straight on at 40 m/s, as on a motorway.
    case motorway
    /// At 200 m/s and 9,500 m: beyond the limits of most dynamic models.
    case flight
    /// Around a block in four rides of nine seconds each, with the engine off for nineteen seconds after each ride.
    case errand
    /// On a desk in a room in which a person works and walks.
    case desk
    /// On the same desk beside a street with trucks.
    case street
    /// In a parked car whose engine runs.
    case idling
    /// On a ferry: at the quay, across the water, at the opposite quay.
    case ferry
    /// On a mast in gusts.
    case mast
    /// Ten minutes at rest, then lifted gently, carried off and driven away.
    case theft
    /// Five minutes on a floor, a ride of 26 m in an elevator, five minutes above, and down again.
    case elevator

    /// The duration of one round.
    public var legSeconds: Int { legs.reduce(0) { $0 + $1.seconds } }

    var startHeight: Double { self == .flight ? 9_500 : 450 }

    var legs: [Leg] {
      switch self {
      case .still: [Leg(seconds: 60, endSpeed: 0)]
      case .journey: Path.block(rest: 10, speed: 11, side: 16, stop: 20, .road, atRest: .engine)
      case .walk: Path.block(rest: 10, speed: 1.4, side: 60, stop: 15, .gait, atRest: .standing)
      case .motorway:
        [
          Leg(seconds: 1, endSpeed: 40, shaking: .road),
          Leg(seconds: 1_800, endSpeed: 40, shaking: .road),
        ]
      case .flight: [Leg(seconds: 1, endSpeed: 200), Leg(seconds: 600, endSpeed: 200)]
      case .errand: Path.errandLegs
      case .desk: [Leg(seconds: 60, endSpeed: 0, shaking: .desk)]
      case .street: [Leg(seconds: 60, endSpeed: 0, shaking: .street)]
      case .idling: [Leg(seconds: 60, endSpeed: 0, shaking: .engine)]
      case .ferry: Path.ferryLegs
      case .mast: [Leg(seconds: 60, endSpeed: 0, shaking: .wind)]
      case .theft: Path.theftLegs
      case .elevator: Path.elevatorLegs
      }
    }

    /// A rest, then four sides with a quarter turn to the right after each, and a stop halfway on the second side.
    private static func block(
      rest: Int, speed: Double, side: Int, stop: Int, _ shaking: Shaking, atRest: Shaking
    ) -> [Leg] {
      let corner = Leg(seconds: 6, endSpeed: speed, turn: 90, shaking: shaking)
      func straight(_ seconds: Int, to endSpeed: Double? = nil) -> Leg {
        Leg(seconds: seconds, endSpeed: endSpeed ?? speed, shaking: shaking)
      }
      return [
        Leg(seconds: rest, endSpeed: 0, shaking: atRest), straight(6),
        straight(side), corner, straight(side / 2), straight(6, to: 0),
        Leg(seconds: stop, endSpeed: 0, shaking: atRest), straight(6),
        straight(side - side / 2), corner, straight(side), straight(6), corner,
        straight(side + 6), corner, straight(6, to: 0),
      ]
    }

    private static let errandLegs: [Leg] = (0..<4).flatMap { _ in
      [
        Leg(seconds: 3, endSpeed: 6, shaking: .road),
        Leg(seconds: 3, endSpeed: 6, turn: 90, shaking: .road),
        Leg(seconds: 3, endSpeed: 0, shaking: .road), Leg(seconds: 19, endSpeed: 0),
      ]
    }

    private static let ferryLegs: [Leg] = [
      Leg(seconds: 180, endSpeed: 0, shaking: .sea), Leg(seconds: 90, endSpeed: 8, shaking: .sea),
      Leg(seconds: 900, endSpeed: 8, turn: 20, shaking: .sea),
      Leg(seconds: 90, endSpeed: 0, shaking: .sea), Leg(seconds: 180, endSpeed: 0, shaking: .sea),
    ]

    private static let theftLegs: [Leg] = [
      Leg(seconds: 600, endSpeed: 0),
      Leg(seconds: 4, endSpeed: 0, climb: 0.25, shaking: .hands, tilt: 20),
      Leg(seconds: 6, endSpeed: 0, shaking: .hands, tilt: 20),
      Leg(seconds: 60, endSpeed: 1.3, shaking: .gait, tilt: 25),
      Leg(seconds: 10, endSpeed: 0, shaking: .hands, tilt: 10),
      Leg(seconds: 6, endSpeed: 11, shaking: .road, tilt: 10),
      Leg(seconds: 120, endSpeed: 11, turn: 180, shaking: .road, tilt: 10),
      Leg(seconds: 6, endSpeed: 0, shaking: .road, tilt: 10),
      Leg(seconds: 600, endSpeed: 0),
    ]

    /// Acceleration by 0.8 m/s in each of three seconds, then 2.4 m/s for eight seconds.
    private static let elevatorLegs: [Leg] = [1.0, -1.0].flatMap { way in
      let ride = [0.8, 1.6, 2.4].map {
        Leg(seconds: 1, endSpeed: 0, climb: $0 * way, shaking: .cabin)
      }
      let steady = Leg(seconds: 8, endSpeed: 0, climb: 2.4 * way, shaking: .cabin)
      return [Leg(seconds: 300, endSpeed: 0)] + ride + [steady] + ride.dropLast().reversed()
    }
  }
}
