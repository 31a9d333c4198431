extension SetupMachine {
  /// What the owner of the machine is to do.
  enum Action: Equatable, Sendable {
    case write([UInt8])
    /// Ask the receiver who it is.
    case ask
    case changeSpeed(Int)
    case log(LogWord)
    /// The line is at another speed for good.
    case settledAt(Int)
    /// The receiver has answered the first order.
    case obeyed
    /// The receiver is not heard any more.
    case lost
    /// The receiver is heard and does not hear.
    case deaf
  }
}
