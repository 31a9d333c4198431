import Glibc

/// Standard input, output and error.
public enum StandardStreams {
  /// Opens those that the parent process has closed on `/dev/null`.
  ///
  /// Without this the next file that the program opens gets the number 0, 1 or 2, and messages are written into
  /// that file. A program calls this before it opens anything.
  public static func open() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // The lowest free number is taken, and the numbers below are in use.
      guard Glibc.open("/dev/null", O_RDWR) == number else { ExitStatus.internalError.exit() }
    }
  }
}
