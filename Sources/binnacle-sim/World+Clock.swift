import Basics
import Posix
import Simulation

extension World {
  /// A world in which it is as late as on this board, and in which a body sets out now.
  static func here(_ path: Body.Path, at now: Instant) -> World {
    World(utcAtZero: Clock.utc + (.zero - now), body: Body(path: path), departure: now)
  }
}
