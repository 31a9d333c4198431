import BinnaclePosix

/// A capability of this process (capabilities(7)); root has none of these in most containers.
public enum Capability: Int {
  /// CAP_SYS_ADMIN, for mounts.
  case administration = 21
  /// CAP_SYS_TIME, for the clock.
  case time = 25

  /// Whether the process has the capability now, by `CapEff` in /proc/self/status.
  public var isHeld: Bool {
    let status = String(decoding: (try? Files.read("/proc/self/status")) ?? [], as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let set = line.flatMap { UInt64($0.dropFirst(7).filter(\.isHexDigit), radix: 16) } ?? 0
    return set & (1 << UInt64(rawValue)) != 0
  }
}
