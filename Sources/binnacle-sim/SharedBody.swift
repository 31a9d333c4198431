import BinnacleBasics
import BinnaclePosix
import Simulation

/// A body that several programs may be fixed to: the path, when it set out, and what else it depends on.
struct SharedBody {
  let path: Body.Path
  let seed: UInt64
  /// By the wall clock; nil: now.
  private let departure: UTCTime?

  /// From `--path`, `--departure` and `--seed`.
  ///
  /// - Throws: what is wrong with them.
  init(_ arguments: Arguments, else path: Body.Path) throws {
    self.path = try arguments.choice("path") ?? path
    seed = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
    let seconds: Int64? = try arguments.integer("departure", in: 0...253_402_300_799)
    departure = seconds.map { UTCTime(secondsSince1970: $0) }
  }

  /// When it set out, on a clock on which it is `now`.
  private func departure(at now: Instant) -> Instant {
    departure.map { now + ($0 - Clock.utc) } ?? now
  }

  /// A world in which it is as late as on this board, and in which this body is.
  func world(at now: Instant) -> World {
    World(
      utcAtZero: Clock.utc + (.zero - now), body: Body(path: path), departure: departure(at: now))
  }

  /// What a chip on it feels.
  func felt(at now: Instant) -> FeltMotion {
    FeltMotion(body: Body(path: path), departure: departure(at: now), seed: seed)
  }
}
