import BinnacleBasics
import BinnaclePosix
import Simulation

/// A body that several programs may be fixed to: the path, its departure, and the other parameters.
struct SharedBody {
  let path: Body.Path
  let seed: UInt64
  /// The departure by the wall clock; nil: now.
  private let departure: UTCTime?

  /// Reads `--path`, `--departure` and `--seed`.
  ///
  /// - Throws: the error in the arguments.
  init(_ arguments: Arguments, else path: Body.Path) throws {
    self.path = try arguments.choice("path") ?? path
    seed = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
    let seconds: Int64? = try arguments.integer("departure", in: 0...253_402_300_799)
    departure = seconds.map { UTCTime(secondsSince1970: $0) }
  }

  /// The departure, on a clock whose present time is `now`.
  private func departure(at now: Instant) -> Instant {
    departure.map { now + ($0 - Clock.utc) } ?? now
  }

  /// A world with this board's time and this body.
  func world(at now: Instant) -> World {
    World(
      utcAtZero: Clock.utc + (.zero - now), body: Body(path: path), departure: departure(at: now))
  }

  /// The acceleration of a chip on the body.
  func felt(at now: Instant) -> FeltMotion {
    FeltMotion(body: Body(path: path), departure: departure(at: now), seed: seed)
  }
}
