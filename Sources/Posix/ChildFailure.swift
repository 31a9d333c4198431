import CBinnaclePosix

/// The failure of a child that should run a program, with what the child has found about the program as its own user.
public struct ChildFailure: Error, Equatable, Sendable {
  /// The failed step.
  public enum Step: Equatable, Sendable {
    /// The standard streams.
    case descriptors
    case session
    /// The user and the groups.
    case user
    /// The working directory.
    case directory
    case program
  }

  /// A path that the child cannot look up.
  public struct Obstacle: Equatable, Sendable {
    /// The program, or the first directory above it that the child cannot enter.
    public var path: String
    public var errno: Errno

    public init(path: String, _ errno: Errno) {
      self.path = path
      self.errno = errno
    }
  }

  /// The program's file as the child sees it.
  public struct File: Equatable, Sendable {
    public var kind: Files.Kind
    /// Whether the child may execute the file, by its permissions.
    public var isExecutable: Bool
    /// Whether the file system is mounted with `noexec`.
    public var isNoexec: Bool
    /// The first bytes; empty if the child may not read the file.
    public var head: [UInt8]

    public init(
      kind: Files.Kind = .file, isExecutable: Bool = true, isNoexec: Bool = false, head: [UInt8]
    ) {
      self.kind = kind
      self.isExecutable = isExecutable
      self.isNoexec = isNoexec
      self.head = head
    }
  }

  public var step: Step
  public var errno: Errno
  /// nil: the child finds the file, or the failed step is another one.
  public var obstacle: Obstacle?
  /// nil: the child does not find the file, or the failed step is another one.
  public var file: File?

  public init(_ step: Step, _ errno: Errno, obstacle: Obstacle? = nil, file: File? = nil) {
    self.step = step
    self.errno = errno
    self.obstacle = obstacle
    self.file = file
  }

  /// Reads the report of a child; nil if the report is empty, because the program runs.
  ///
  /// - Parameters:
  ///   - report: the child's `cposix_launch_failure` and the first bytes of the program.
  ///   - path: the path of the program.
  init?(report: ArraySlice<UInt8>, path: String) {
    let size = MemoryLayout<cposix_launch_failure>.size
    guard report.count >= size else { return nil }
    let found = report.withUnsafeBytes { $0.loadUnaligned(as: cposix_launch_failure.self) }
    self.init(Step(found.step), Errno(code: found.error))
    if found.blocked > 0 {
      let part = String(decoding: path.utf8.prefix(Int(found.blocked)), as: UTF8.self)
      obstacle = Obstacle(path: part, Errno(code: found.blocked_error))
    }
    if found.mode != 0 {
      file = File(
        kind: Files.kind(ofMode: found.mode), isExecutable: found.is_executable != 0,
        isNoexec: found.is_noexec != 0, head: Array(report.dropFirst(size)))
    }
  }
}

extension ChildFailure.Step {
  fileprivate init(_ number: Int32) {
    self =
      switch UInt32(number) {
      case CPOSIX_LAUNCH_DESCRIPTORS.rawValue: .descriptors
      case CPOSIX_LAUNCH_SESSION.rawValue: .session
      case CPOSIX_LAUNCH_USER.rawValue: .user
      case CPOSIX_LAUNCH_DIRECTORY.rawValue: .directory
      default: .program
      }
  }
}
