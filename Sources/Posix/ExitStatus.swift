import Glibc

/// The exit status of a program; the numbers from 64 to 78 are those of `<sysexits.h>`.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  case failure = 1
  case usage = 64
  case dataDamaged = 65
  case inputMissing = 66
  /// The daemon is not there.
  case serviceUnavailable = 69
  case internalError = 70
  /// A directory that must be written to cannot be.
  case cannotCreate = 73
  /// Another one is at it; later it may work.
  case temporaryFailure = 75
  case notPermitted = 77
  case configurationWrong = 78
  /// A signal came before the end of the work; the number is that of a shell for SIGINT, and also counts for other signals.
  case interrupted = 130

  /// Ends the process.
  public func exit() -> Never {
    Glibc.exit(rawValue)
  }
}
