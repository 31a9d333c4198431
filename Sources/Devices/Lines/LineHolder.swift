import BinnaclePosix

/// The holder of a kernel line, as far as it can be found out.
enum LineHolder {
  /// The name that the holder gave itself, and the processes that have the chip open: one of them may be it.
  ///
  /// The kernel keeps a name for each line and no process. A line that a driver holds has no process at all.
  static func inWords(_ consumer: String, chip: String) -> String {
    let name = consumer.isEmpty ? "somebody without a name" : "'\(consumer)'"
    guard let status = try? Files.status(of: chip) else { return name }
    let processes = DeviceHolder.all(of: chip, DeviceIdentity(status))
    if processes.isEmpty { return name }
    let list = processes.map(\.description).joined(separator: ", ")
    return "\(name); the chip is open in \(list)"
  }
}
