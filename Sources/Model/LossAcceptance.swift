/// The command that accepts a loss of state.
public enum LossAcceptance {
  /// Numbers of ordinary users begin here (Debian Policy, section 9.2.2).
  private static let ordinaryUserIDMin: Int64 = 1_000

  /// The command for the daemon of a user: a service needs root, the daemon of an ordinary user needs this user.
  public static func command(daemonUserID: Int64?) -> String {
    let isOfOrdinaryUser = daemonUserID.map { $0 >= ordinaryUserIDMin } ?? false
    return isOfOrdinaryUser ? "binnacle state accept" : "sudo binnacle state accept"
  }
}
