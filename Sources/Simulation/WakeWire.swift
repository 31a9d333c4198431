import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The wire from a line of the board to the receiver's pin EXTINT, which goes away with its chip for a while.
public struct WakeWire: Equatable, Sendable {
  /// The chip is unplugged, and plugged in again.
  let lostAt: Instant
  let backAt: Instant
  /// The level that another circuit holds it at, whatever it is told; nil: it does as it is told.
  public var heldLow: Bool?
  private var isThere = true
  private var isClaimed = false
  private var isLow = false

  /// In some runs.
  init?(random: inout Random) {
    guard random.chance(0.4) else { return nil }
    let isLost = random.chance(0.3)
    lostAt = .zero + (isLost ? .milliseconds(Int64(30_000 * random.unit())) : .seconds(1_000_000))
    backAt = lostAt + .milliseconds(Int64(9_000 * random.unit()))
  }

  /// One that stays.
  public init() {
    lostAt = .zero + .seconds(1_000_000_000)
    backAt = lostAt
  }

  // MARK: What the engine orders

  mutating func opened() -> Event {
    guard isThere else { return gone }
    isClaimed = true
    isLow = false
    return .line(.receiverWake, .opened(isActive: heldLow ?? false, isDebounced: false))
  }

  /// Answers what is read back, and whether the pin saw an edge.
  mutating func driven(low: Bool) -> (Event, isEdge: Bool)? {
    guard isClaimed else { return nil }
    let level = heldLow ?? low
    defer { isLow = level }
    return (.line(.receiverWake, .read(isActive: level)), level != isLow)
  }

  // MARK: What happens to it

  /// Whoever had claimed it is gone.
  mutating func released() {
    isClaimed = false
    isLow = false
  }

  mutating func changed(isThere: Bool) -> Event? {
    self.isThere = isThere
    guard isClaimed, !isThere else { return nil }
    released()
    return gone
  }

  private var gone: Event { .line(.receiverWake, .lost(LineFault(.gone, "simulated"))) }
}
