import BinnaclePosix

/// The holder of a kernel line, as far as known.
enum LineHolder {
  /// The name given by the holder, and the processes that have the chip open, one of which may be the holder.
  ///
  /// The kernel stores a name for each line but no process. A line held by a driver has no process.
  static func inWords(_ consumer: String, chip: String) -> String {
    let name = consumer.isEmpty ? "a process without a name" : "'\(consumer)'"
    guard let status = try? Files.status(of: chip) else { return name }
    let processes = DeviceHolder.all(of: chip, DeviceIdentity(status))
    if processes.isEmpty { return name }
    let list = processes.map(\.description).joined(separator: ", ")
    return "\(name); the chip is open in \(list)"
  }
}
