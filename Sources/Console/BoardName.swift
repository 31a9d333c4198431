import BinnacleBasics
import BinnacleModel

/// The name of the board for a person: the name that distinguishes this board from others.
enum BoardName {
  private static let lengthMax = 24
  /// Names that systems give every board.
  private static let genericHosts = ["localhost", "(none)", "debian", "linux", "armbian"]
  private static let genericBeginnings = ["raspberrypi", "orangepi", "radxa"]

  /// The name that the settings give the board.
  ///
  /// An operator who sets `Name=` in a drop-in has named this board. The name in a profile is that of a model: it is of use
  /// only where the host name says even less.
  ///
  /// - Parameters:
  ///   - rows: rows of `binnacle settings`.
  ///   - host: the name of the machine in the network.
  /// - Returns: nil if the rows do not have the name.
  static func name(in rows: [Report], host: String) -> String? {
    let row = rows.first { $0[.rowSection] == "Board" && $0[.rowSetting] == "Name" }
    guard let row else { return nil }
    guard let name = row[.rowValue], !name.isEmpty else { return self.host(host) }
    let isNamed = row[.rowOrigin] == "drop-in"
    return isNamed || isGeneric(host) ? plain(name) : self.host(host)
  }

  /// The host name as the name of the board.
  static func host(_ host: String) -> String { plain(host) }

  private static func isGeneric(_ host: String) -> Bool {
    let host = host.lowercased()
    return genericHosts.contains(host) || genericBeginnings.contains { host.hasPrefix($0) }
  }

  private static func plain(_ name: String) -> String {
    let plain = PlainText.line(name)
    return plain.count <= lengthMax ? plain : String(plain.prefix(lengthMax - 3)) + "..."
  }
}
