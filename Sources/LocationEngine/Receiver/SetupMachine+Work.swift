extension SetupMachine {
  /// A step that has not begun.
  enum Task: Equatable, Codable, Sendable {
    case step(SetupStep)
    /// Read the setting back, and order it only where it differs.
    case check(SetupStep)
    case raise(to: Int)
  }

  enum Work: Equatable, Codable, Sendable {
    case idle
    case commanding(CommandMachine)
    case raising(BaudRateMachine)
  }
}
