import Glibc

/// The status of a process from /proc/PID/stat (proc_pid_stat(5)).
public struct ProcessStatus: Equatable, Sendable {
  /// The state, such as `R`, `S`, `T` for stopped or `Z` for a zombie.
  public let state: Character
  /// The number of the session, which is the number of the process that has made the session.
  public let sessionID: Int32
  /// Whether the process has a controlling terminal.
  public let hasTerminal: Bool
  /// The time of the start after the boot, in ticks of the clock; number and start together identify a process of a boot.
  public let startTicks: UInt64

  /// - Throws: `noSuchProcess` when there is no process of this number, or when it is not visible; else the error of
  ///   the system, for example without a free descriptor.
  public init(of number: Int32) throws(Errno) {
    let text: [UInt8]
    do throws(SystemError) {
      text = try Files.read("/proc/\(number)/stat")
    } catch {
      let absences: [Errno] = [.noSuchFile, .noSuchProcess, .notPermitted, .accessDenied]
      if absences.contains(error.errno) { throw .noSuchProcess }
      throw error.errno
    }
    guard let status = ProcessStatus(text: String(decoding: text, as: UTF8.self)) else {
      throw .noSuchProcess
    }
    self = status
  }

  /// Reads the line; the name in brackets may contain any character.
  init?(text: String) {
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    guard fields.count > 20, let state = fields[1].first, let session = Int32(fields[4]),
      let startTicks = UInt64(fields[20])
    else { return nil }
    self.state = state
    sessionID = session
    hasTerminal = fields[5] != "0"
    self.startTicks = startTicks
  }

  /// The real user of a process; nil when the process has ended.
  public static func userID(of number: Int32) -> UInt32? {
    guard let text = try? Files.read("/proc/\(number)/status") else { return nil }
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("Uid:") }
    guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1 else {
      return nil
    }
    return UInt32(words[1])
  }

  /// The path of a process's group in the v2 hierarchy of control groups; nil when there is none.
  ///
  /// The path is relative to the namespace of this process (cgroups(7), `/proc/PID/cgroup`).
  public static func controlGroup(of number: Int32) -> String? {
    guard let text = try? Files.read("/proc/\(number)/cgroup") else { return nil }
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
  }

  /// The numbers of all visible processes.
  public static var allNumbers: [Int32] {
    ((try? Files.list("/proc")) ?? []).compactMap { Int32($0) }
  }

  /// The number of this boot; a process of an earlier boot is never one of this.
  public static var bootID: String {
    let text = (try? Files.read("/proc/sys/kernel/random/boot_id")) ?? []
    return String(decoding: text, as: UTF8.self).split(separator: "\n").first.map { String($0) }
      ?? ""
  }
}
