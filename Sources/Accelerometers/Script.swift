import BinnacleBasics
import I2C

/// A sequence of orders to a chip, with the pauses between them.
struct Script: Equatable, Sendable {
  private var stages: [Stage] = []
  private var place = 0
  /// The bytes of the reads so far, in order.
  private(set) var answers: [[UInt8]] = []

  private struct Stage: Equatable, Sendable {
    var transfers: [I2CTransfer] = []
    /// The pause before this stage.
    var pause: Interval = .zero
  }

  init(_ steps: [RegisterStep], address: UInt8) {
    var stage = Stage()
    for step in steps {
      switch step {
      case .write(let register, let value, _):
        stage.transfers.append(.write([value], to: register, of: address))
      case .read(let register, let count):
        stage.transfers.append(.read(count, from: register, of: address))
      case .wait(let pause):
        if !stage.transfers.isEmpty { stages.append(stage) }
        stage = Stage(pause: (stage.transfers.isEmpty ? stage.pause : .zero) + pause)
      }
      if stage.transfers.count == I2COrder.stepsMax {
        stages.append(stage)
        stage = Stage()
      }
    }
    if !stage.transfers.isEmpty { stages.append(stage) }
  }

  /// The next order and its time; nil after the last one.
  func order(at now: Instant) -> (order: I2COrder, dueAt: Instant)? {
    guard place < stages.count else { return nil }
    return (I2COrder(stages[place].transfers), now + stages[place].pause)
  }

  /// Takes the answers of the order.
  mutating func orderEnded(_ answers: [[UInt8]]) {
    self.answers += answers
    place += 1
  }
}
