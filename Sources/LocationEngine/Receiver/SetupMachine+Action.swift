extension SetupMachine {
  /// The orders of the machine to its owner.
  enum Action: Equatable, Sendable {
    case write([UInt8])
    /// Poll the receiver's identity.
    case ask
    case changeSpeed(Int)
    case log(LogWord)
    /// The line stays at another speed.
    case settledAt(Int)
    /// The receiver has answered the first order.
    case obeyed
    /// The receiver is silent.
    case lost
    /// The receiver is heard and does not answer.
    case deaf
  }
}
