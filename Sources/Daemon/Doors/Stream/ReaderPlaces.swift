import BinnacleBasics

/// The limits of connected readers of one door: no user takes the places of all others.
///
/// Root and the daemon's own user have only the limit of all readers.
struct ReaderPlaces {
  /// The largest number of readers.
  static let readersMax = 8
  /// The largest number of readers of one user.
  static let readersPerUserMax = 4

  private let operators: Operators

  init(_ operators: Operators = Operators()) { self.operators = operators }

  /// The reason for a refusal of a user's next reader; nil if there is a place.
  ///
  /// - Parameters:
  ///   - userID: the user.
  ///   - users: the user of each connected reader.
  /// - Returns: the limit, in words; nil if there is a place.
  func refusal(of userID: UInt32, among users: [UInt32]) -> String? {
    let count = users.count { $0 == userID }
    if count >= ReaderPlaces.readersPerUserMax, !operators.containNumber(userID) {
      let readers = CountText.words(
        count, "reader of user \(userID) is", "readers of user \(userID) are")
      return "\(readers) connected, which is the limit"
    }
    guard users.count < ReaderPlaces.readersMax else {
      return "\(users.count) readers are connected, which is the limit"
    }
    return nil
  }
}
