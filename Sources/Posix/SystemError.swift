/// A failure of the system together with what it failed at: a path, a program, a device.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the system answered.
  public let errno: Errno
  /// The sentence for a person: subject, then what is wrong with it.
  public let description: String

  /// Says what the system answered about this subject.
  public init(_ errno: Errno, _ subject: String) {
    self.init(errno, description: "\(subject): \(errno)")
  }

  /// Says it in words of its own.
  public init(_ errno: Errno, description: String) {
    self.errno = errno
    self.description = description
  }
}
