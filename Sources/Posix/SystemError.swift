/// A system error together with its subject: a path, a program, a device.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error number.
  public let errno: Errno
  /// The sentence for a person: the subject, then the fault.
  public let description: String

  /// Makes the error with the system's text for this subject.
  public init(_ errno: Errno, _ subject: String) {
    self.init(errno, description: "\(subject): \(errno)")
  }

  /// Makes the error with a text of the caller.
  public init(_ errno: Errno, description: String) {
    self.errno = errno
    self.description = description
  }
}
