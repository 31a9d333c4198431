extension SetupMachine {
  /// A step that has not begun.
  enum Task: Equatable, Codable, Sendable {
    case step(SetupStep)
    /// Read it back, and order it only where that is not as it should be.
    case check(SetupStep)
    case raise(to: Int)
  }

  enum Work: Equatable, Codable, Sendable {
    case idle
    case commanding(CommandMachine)
    case raising(BaudRateMachine)
  }
}
