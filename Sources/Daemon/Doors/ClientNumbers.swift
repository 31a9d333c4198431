import BinnacleModel

/// The numbers of clients, given out once each, whichever door a client comes through.
final class ClientNumbers {
  private var last: UInt32 = 0

  func next() -> ClientID {
    last += 1
    return ClientID(number: last)
  }
}
