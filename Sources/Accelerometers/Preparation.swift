import BinnacleBasics
import I2C

/// Prepares a chip: self-test, registers, and a check that the registers keep their values.
struct Preparation: Equatable, Sendable {
  let chip: Probe.Chip
  let configuration: ChipConfiguration
  let mode: AccelerometerMachine.Mode
  let hasLine: Bool
  private var phase: Phase

  private enum Phase: Equatable, Sendable {
    case testing(SelfTest, Script)
    case settingUp(Script)
    case checking
  }

  enum Outcome: Equatable, Sendable {
    case goOn
    case tested(SelfTest.Result)
    /// A register does not read as written.
    case refused(String)
    case done
  }

  init(
    _ chip: Probe.Chip, _ settings: AccelerometerSettings, mode: AccelerometerMachine.Mode,
    isTested: Bool
  ) {
    self.chip = chip
    self.mode = mode
    hasLine = settings.hasLine
    configuration = chip.family.driver.configuration(for: chip.model, settings, mode: mode)
    let setup = Script(configuration.steps, address: chip.address)
    if !isTested, let test = chip.family.driver.selfTest(of: chip.model) {
      phase = .testing(test, Script(test.steps, address: chip.address))
    } else {
      phase = .settingUp(setup)
    }
  }

  var name: String { "\(chip.model.name) at \(Hex.byte(chip.address))" }

  /// The next step.
  func order(at now: Instant) -> (I2COrder, dueAt: Instant) {
    switch phase {
    case .testing(_, let script), .settingUp(let script):
      if let (order, dueAt) = script.order(at: now) { return (order, dueAt) }
    case .checking: break
    }
    let address = chip.address
    return (
      I2COrder(configuration.opening(at: address) + configuration.lookingBack(at: address)), now
    )
  }

  /// Takes the answers of the order; `order` then has the next one.
  mutating func orderEnded(_ answers: [[UInt8]]) -> Outcome {
    switch phase {
    case .testing(let test, var script):
      script.orderEnded(answers)
      guard script.order(at: .zero) == nil else {
        phase = .testing(test, script)
        return .goOn
      }
      phase = .settingUp(Script(configuration.steps, address: chip.address))
      return .tested(test.result(of: script.answers))
    case .settingUp(var script):
      script.orderEnded(answers)
      phase = script.order(at: .zero) == nil ? .checking : .settingUp(script)
      return .goOn
    case .checking:
      guard let difference = configuration.difference(in: answers) else { return .done }
      return .refused(difference)
    }
  }
}

extension ChipConfiguration {
  /// The first value that differs from the written one; nil if all values are equal.
  ///
  /// The answers are the values of the registers of `lastingValues`.
  func difference(in answers: [[UInt8]]) -> String? {
    for (wanted, answer) in zip(lastingValues, answers) {
      guard let read = answer.first, (read ^ wanted.value) & wanted.mask != 0 else { continue }
      return "register \(Hex.byte(wanted.register)) reads \(Hex.byte(read)) where "
        + "\(Hex.byte(wanted.value)) was written"
    }
    return nil
  }
}
