import CBinnaclePosix
import Glibc

/// A child that waits before it runs its program, so that its parent can note it first.
///
/// The child has a session of its own, default signals, no capabilities, and no open file but its standard ones. It ends if
/// its parent ends before the program runs.
///
/// The corresponding C functions are `fork` and `execve`.
public final class WaitingChild {
  /// The program to run.
  public struct Program: Sendable {
    /// The absolute path.
    public var path: String
    /// The arguments after the program's name.
    public var arguments: [String]
    /// The whole environment, each as `NAME=value`.
    public var environment: [String]
    /// The working directory; `/` is used when it cannot be entered.
    public var directory: String
    /// The user to run as; nil: the user of this process.
    public var user: Users.Entry?

    public init(
      path: String, arguments: [String], environment: [String], directory: String,
      user: Users.Entry?
    ) {
      self.path = path
      self.arguments = arguments
      self.environment = environment
      self.directory = directory
      self.user = user
    }
  }

  /// The result of a start.
  public enum Start: Equatable, Sendable {
    case running
    case failed(ChildFailure)
  }

  public let process: ProcessHandle
  private let path: String
  private var gate: FileDescriptor?
  private let failure: FileDescriptor

  /// Makes the child.
  ///
  /// - Parameters:
  ///   - program: the program.
  ///   - output: the descriptor for the child's standard output and error output.
  /// - Throws: the error of the system.
  public init(_ program: Program, output: borrowing FileDescriptor) throws(Errno) {
    let groups = try program.user.map { user throws(Errno) in try user.groups } ?? []
    var arguments = ([program.path] + program.arguments).map { strdup($0) } + [nil]
    var environment = program.environment.map { strdup($0) } + [nil]
    let path = strdup(program.path)
    let directory = strdup(program.directory)
    defer { for text in arguments + environment + [path, directory] { free(text) } }
    var launched = cposix_launched()
    let outputNumber = output.number
    _ = try Errno.check {
      arguments.withUnsafeMutableBufferPointer { arguments in
        environment.withUnsafeMutableBufferPointer { environment in
          groups.withUnsafeBufferPointer { groups in
            var plan = cposix_launch_plan(
              program: path, arguments: arguments.baseAddress, environment: environment.baseAddress,
              directory: directory, output: outputNumber,
              changes_user: program.user == nil ? 0 : 1, user: program.user?.userID ?? 0,
              group: program.user?.groupID ?? 0, groups: groups.baseAddress,
              group_count: groups.count)
            return cposix_launch(&plan, &launched)
          }
        }
      }
    }
    self.path = program.path
    process = ProcessHandle(
      processID: launched.process, watch: FileDescriptor(owning: launched.watch))
    gate = FileDescriptor(owning: launched.gate)
    failure = FileDescriptor(owning: launched.failure)
  }

  /// The descriptor to poll for reading: readable when `start` has an answer.
  public var descriptor: Int32 { failure.number }

  /// Lets the child run its program.
  public func run() throws(Errno) {
    _ = try gate?.write([1])
    gate = nil
  }

  /// Ends the child before it runs its program.
  public func cancel() {
    gate = nil
    try? process.signal(SIGKILL)
    var status: Int32 = 0
    _ = try? Errno.check { waitpid(process.processID, &status, 0) }
  }

  /// The result; nil while the program is not yet run.
  public func start() throws(Errno) -> Start? {
    var report = [UInt8](repeating: 0, count: Int(PIPE_BUF))
    guard let count = try failure.read(into: &report) else { return nil }
    let failure = ChildFailure(report: report[..<count], path: path)
    return failure.map { .failed($0) } ?? .running
  }
}
