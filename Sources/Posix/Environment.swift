import CBinnaclePosix
import Glibc

/// The process's arguments, environment and user.
public enum Environment {
  /// The value of an environment variable; nil when it is unset or empty.
  ///
  /// A program that has more rights than its caller (set-user-ID, file capabilities) gets nil for every variable, because
  /// its caller chose them.
  ///
  /// The corresponding C function is `secure_getenv`.
  public static func value(_ name: String) -> String? {
    guard let text = cposix_environment(name) else { return nil }
    let value = String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// The user that the process runs as.
  ///
  /// The corresponding C function is `geteuid`.
  public static var userID: UInt32 { geteuid() }

  /// The number of the process.
  ///
  /// The corresponding C function is `getpid`.
  public static var processID: Int32 { getpid() }

  /// Where the running program's file is, symbolic links resolved.
  public static var executablePath: String? { try? Files.linkTarget("/proc/self/exe") }

  /// The last part of the path of the running program; the program's name in messages.
  public static var programName: String {
    let path = executablePath ?? CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map { String($0) } ?? "?"
  }

  /// The name of this board in the network, up to the first dot.
  ///
  /// The corresponding C function is `gethostname`.
  public static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "board" }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: ".").first.map { String($0) } ?? "board"
  }
}
