import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The wire from a line of the board to the receiver's pin EXTINT; the line's chip may be absent for a while.
public struct WakeWire: Equatable, Sendable {
  /// The instants at which the chip is unplugged, and plugged in again.
  let lostAt: Instant
  let backAt: Instant
  /// The level at which another circuit holds the wire; nil: the wire follows the line.
  public var heldLow: Bool?
  private var isThere = true
  private var isClaimed = false
  private var isLow = false

  /// Draws whether a run has a wire; nil when it has none.
  init?(random: inout Random) {
    guard random.chance(0.4) else { return nil }
    let isLost = random.chance(0.3)
    lostAt = .zero + (isLost ? .milliseconds(Int64(30_000 * random.unit())) : .seconds(1_000_000))
    backAt = lostAt + .milliseconds(Int64(9_000 * random.unit()))
  }

  /// A wire whose chip stays.
  public init() {
    lostAt = .zero + .seconds(1_000_000_000)
    backAt = lostAt
  }

  // MARK: Orders of the engine

  mutating func opened() -> Event {
    guard isThere else { return gone }
    isClaimed = true
    isLow = false
    return .line(.receiverWake, .opened(isActive: heldLow ?? false, isDebounced: false))
  }

  /// Returns the level that is read back, and whether the pin saw an edge.
  mutating func driven(low: Bool) -> (Event, isEdge: Bool)? {
    guard isClaimed else { return nil }
    let level = heldLow ?? low
    defer { isLow = level }
    return (.line(.receiverWake, .read(isActive: level)), level != isLow)
  }

  // MARK: Events

  /// Notes that the holder of the claim has ended.
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
