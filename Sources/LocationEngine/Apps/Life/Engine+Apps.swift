import BinnacleBasics
import BinnacleModel

extension Engine {
  mutating func take(_ event: Event.Launcher, at now: Instant, into effects: inout [Effect]) {
  }
}
