import BinnacleModel

/// The source of unique client numbers for all doors.
final class ClientNumbers {
  private var last: UInt32 = 0

  func next() -> ClientID {
    last += 1
    return ClientID(number: last)
  }
}
