public import BinnaclePosix

/// Why the daemon cannot start: the status that it ends with, and a sentence for a person.
public struct StartFailure: Error, Equatable, Sendable {
  public let status: ExitStatus
  public let text: String

  public init(_ status: ExitStatus, _ text: String) {
    self.status = status
    self.text = text
  }
}
