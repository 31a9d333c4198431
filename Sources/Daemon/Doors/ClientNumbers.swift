import BinnacleModel

/// The source of unique client numbers for all doors.
///
/// After 2^32 clients the numbers begin again. 0 is no number of a client.
final class ClientNumbers {
  private var last: UInt32
  /// The numbers of the clients that are connected.
  private(set) var inUse: Set<UInt32>

  init(after last: UInt32 = 0, inUse: Set<UInt32> = []) {
    self.last = last
    self.inUse = inUse
  }

  /// A number for a client; it is in use until its release.
  func next() -> ClientID {
    repeat { last &+= 1 } while last == 0 || inUse.contains(last)
    inUse.insert(last)
    return ClientID(number: last)
  }

  /// Frees the number of a client that has disconnected.
  func release(_ client: ClientID) { inUse.remove(client.number) }
}
