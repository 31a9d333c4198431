import BinnacleBasics
import CBinnaclePosix
import Glibc

/// The process at the far end of a local socket, held by a process descriptor, so that a reused process number is noticed.
public struct PeerProcess: ~Copyable {
  private let number: Int32
  private let watch: FileDescriptor
  /// The process must have existed at this time; nil when the kernel itself identified the process.
  private let startedBefore: Instant?

  /// Opens the process that connected.
  ///
  /// Before Linux 6.5 the kernel gives only a process number, which another process may have received meanwhile. Then
  /// the process of that number counts only when the process is older than this call.
  ///
  /// - Throws: the error of the system; `noSuchProcess` when the process has ended or is not visible.
  ///
  /// The corresponding C functions are `getsockopt` with `SO_PEERPIDFD`, and `pidfd_open`.
  public init(of socket: LocalSocket) throws(Errno) {
    let now = Clock.now
    let number = try socket.peer.processID
    guard number > 0 else { throw .noSuchProcess }
    let own = cposix_local_peer_watch(socket.descriptor)
    if own >= 0 {
      self.init(number: number, watch: FileDescriptor(owning: own), startedBefore: nil)
    } else {
      if let failure = PeerProcess.failure(ofWatch: .current) { throw failure }
      let watch = try FileDescriptor(watchingProcess: number)
      self.init(number: number, watch: watch, startedBefore: now)
    }
  }

  /// The failure of a peer whose process descriptor the kernel refuses with this error.
  ///
  /// - Returns: nil if the kernel has no descriptors of peers, so that the process number counts. After each other error the
  ///   number may already belong to another process.
  static func failure(ofWatch error: Errno) -> Errno? {
    switch error.code {
    case ENOPROTOOPT: nil
    // The process has ended, and its number is free (`pidfd_prepare`).
    case EINVAL, ENODATA: .noSuchProcess
    default: error
    }
  }

  /// Takes a process descriptor of another program.
  ///
  /// - Parameter watch: a process descriptor, whose process number is in `/proc/self/fdinfo`.
  /// - Throws: `noSuchProcess` when the process has ended or is not visible, `invalidArgument` for another descriptor.
  public init(watchedBy watch: consuming FileDescriptor) throws(Errno) {
    let text: String
    do throws(SystemError) {
      text = String(decoding: try Files.read("/proc/self/fdinfo/\(watch.number)"), as: UTF8.self)
    } catch {
      throw error.errno
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pid:") }
    guard let line,
      let number = line.split(whereSeparator: \.isWhitespace).last.flatMap({ Int32($0) })
    else { throw .invalidArgument }
    // -1 after the end of the process, 0 for a process of another namespace.
    guard number > 0 else { throw .noSuchProcess }
    self.init(number: number, watch: watch, startedBefore: nil)
  }

  /// Gives a copy of the process descriptor to another program, with a packet.
  ///
  /// A process whose descriptor is only from its number must have existed at the time of the connection.
  ///
  /// - Returns: false when the send buffer is full.
  /// - Throws: `noSuchProcess` when the process has ended or is too young.
  public borrowing func send(_ packet: [UInt8], to socket: LocalSocket) throws(Errno) -> Bool {
    if let startedBefore {
      do throws(SystemError) {
        if try startInstant() > startedBefore { throw SystemError(.noSuchProcess, "\(number)") }
      } catch {
        throw error.errno
      }
    }
    return try socket.send(packet, with: watch)
  }

  init(number: Int32, watch: consuming FileDescriptor, startedBefore: Instant?) {
    self.number = number
    self.watch = watch
    self.startedBefore = startedBefore
  }

  /// A program that runs.
  public struct Program: Equatable, Sendable {
    /// The path of its file as the process's own mounts show it: another process may see another file there.
    public let path: String
    /// The file itself, which is the same for all processes.
    ///
    /// The process keeps the file, so no other file gets its number meanwhile.
    public var file: FileIdentity { version.file }
    /// The file as it was last changed.
    ///
    /// The kernel refuses to write to the file of a program that runs, but its attributes and names may change.
    public let version: FileVersion

    public init(path: String, version: FileVersion) {
      self.path = path
      self.version = version
    }
  }

  /// Its program.
  ///
  /// - Throws: `accessDenied` for a process of another user, unless the kernel lets us look; `noSuchProcess` when it has
  ///   ended.
  public borrowing func program() throws(Errno) -> Program {
    let path: String
    let version: FileVersion
    do throws(SystemError) {
      path = try Files.linkTarget("/proc/\(number)/exe")
      version = try FileVersion(ofFileAt: "/proc/\(number)/exe")
      if let startedBefore, try startInstant() > startedBefore {
        throw SystemError(.noSuchProcess, path)
      }
    } catch {
      throw error.errno
    }
    // The process still exists, so its number was not reused.
    guard isAlive else { throw .noSuchProcess }
    return Program(path: PeerProcess.withoutMark(path), version: version)
  }

  /// The groups of processes that a process belongs to.
  public struct Membership: Equatable, Sendable {
    /// The path in the v2 hierarchy of control groups; nil when there is none.
    public let controlGroup: String?
    public let sessionID: Int32

    public init(controlGroup: String?, sessionID: Int32) {
      self.controlGroup = controlGroup
      self.sessionID = sessionID
    }
  }

  /// Its control group and its session.
  ///
  /// - Throws: `noSuchProcess` when it has ended, or when it is not visible.
  public borrowing func membership() throws(Errno) -> Membership {
    let status = try ProcessStatus(of: number)
    let group = ProcessStatus.controlGroup(of: number)
    do throws(SystemError) {
      if let startedBefore, try startInstant() > startedBefore {
        throw SystemError(.noSuchProcess, "")
      }
    } catch {
      throw error.errno
    }
    // The process still exists, so its number was not reused.
    guard isAlive else { throw .noSuchProcess }
    return Membership(controlGroup: group, sessionID: status.sessionID)
  }

  /// Whether a process has a controlling terminal: field 7 of /proc/PID/stat (proc_pid_stat(5)) is not 0.
  ///
  /// The answer is false for a process that has ended or is not visible.
  ///
  /// - Returns: nil when the system cannot answer now, for example without a free descriptor.
  public static func hasTerminal(_ number: Int32) -> Bool? {
    do throws(Errno) {
      return try ProcessStatus(of: number).hasTerminal
    } catch {
      return error == .noSuchProcess ? false : nil
    }
  }

  /// A handle of the process, which a program keeps to ask again and again whether the process has ended.
  public consuming func handle() -> ProcessHandle {
    ProcessHandle(processID: number, watch: watch)
  }

  private var isAlive: Bool {
    var query = pollfd(fd: watch.number, events: Int16(POLLIN), revents: 0)
    return poll(&query, 1, 0) == 0
  }

  /// When it was started, to a tick: field 22 of /proc/PID/stat (proc_pid_stat(5)), counted on the clock of ``Clock/now``.
  private func startInstant() throws(SystemError) -> Instant {
    let status: ProcessStatus
    do throws(Errno) {
      status = try ProcessStatus(of: number)
    } catch {
      throw SystemError(error, "/proc/\(number)/stat")
    }
    let perSecond = cposix_ticks_per_second()
    guard perSecond > 0, let ticks = Int64(exactly: status.startTicks) else {
      throw SystemError(.noSuchProcess, "/proc/\(number)/stat")
    }
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: perSecond)
    return .zero + .seconds(seconds)
      + Interval(nanoseconds: rest * 1_000_000_000 / perSecond)
  }

  /// The kernel marks the path of a program whose file was replaced or removed; the program is still the same.
  private static func withoutMark(_ path: String) -> String {
    let mark = " (deleted)"
    return path.hasSuffix(mark) && !Files.exists(path) ? String(path.dropLast(mark.count)) : path
  }
}
