public import BinnacleBasics
import CBinnaclePosix
import Glibc

/// A child process; killed and reaped when its owner releases this value.
///
/// The corresponding C function is `posix_spawn`.
public final class ChildProcess {
  /// The number of the process.
  public let processID: Int32
  private var ending: Ending?
  private let inputEnd: PipeEnd
  private let outputEnd: PipeEnd
  private let errorEnd: PipeEnd

  /// The target of one of the child's standard descriptors.
  public enum Stream: Equatable, Sendable {
    /// The same as this process's.
    case inherited
    /// `/dev/null`.
    case null
    /// A pipe; this process keeps its second end.
    case pipe
    /// An open descriptor of this process.
    case descriptor(Int32)
    /// For the error output: the same as the output.
    case sameAsOutput
  }

  /// How it ended.
  public enum Ending: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path; a name without a slash is searched for in `PATH`.
  ///   - arguments: those behind the program's own name.
  ///   - environment: the child's environment; nil inherits this process's.
  ///   - input: where its input comes from.
  ///   - output: where its output goes.
  ///   - errorOutput: where its messages go.
  /// - Throws: the error of the system, with the program's name.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    input: Stream = .null, output: Stream = .inherited, errorOutput: Stream = .inherited
  ) throws(SystemError) {
    do throws(Errno) {
      inputEnd = PipeEnd()
      outputEnd = PipeEnd()
      errorEnd = PipeEnd()
      var plan = Plan()
      defer { plan.close() }
      try plan.redirect(0, to: input, keeping: inputEnd)
      try plan.redirect(1, to: output, keeping: outputEnd)
      try plan.redirect(2, to: errorOutput, keeping: errorEnd)
      processID = try plan.spawn([program] + arguments, environment: environment)
    } catch {
      throw SystemError(error, program)
    }
  }

  deinit {
    if ending == nil {
      Glibc.kill(processID, SIGKILL)
      var status: Int32 = 0
      _ = try? Errno.check { waitpid(processID, &status, 0) }
    }
  }

  /// The descriptor to poll for the child's output; -1 when the output is no pipe.
  public var outputDescriptor: Int32 { outputEnd.number }
  /// The descriptor to poll for the child's error output; -1 when the error output is no pipe.
  public var errorDescriptor: Int32 { errorEnd.number }

  /// Reads the child's output; nil when there is no data yet, 0 when the child has closed its output.
  public func readOutput(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    try outputEnd.read(into: &buffer)
  }

  /// Reads the child's error output; nil when there is no data yet, 0 when the child has closed its error output.
  public func readErrors(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    try errorEnd.read(into: &buffer)
  }

  /// Hands bytes to the child's input; nil when it takes none now.
  public func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int? {
    try inputEnd.write(bytes)
  }

  /// Ends the child's input.
  public func closeInput() {
    inputEnd.close()
  }

  /// Sends a signal, unless the process has ended.
  ///
  /// The corresponding C function is `kill`.
  public func signal(_ signal: Signals.Signal) {
    if ending == nil { Glibc.kill(processID, signal.rawValue) }
  }

  /// Ends it without asking.
  public func kill() {
    if ending == nil { Glibc.kill(processID, SIGKILL) }
  }

  /// Waits until it has ended.
  ///
  /// - Returns: how it ended; nil when the limit came first.
  ///
  /// The corresponding C functions are `pidfd_open` and `waitpid`.
  public func wait(limit: Interval) throws(Errno) -> Ending? {
    if let ending { return ending }
    let watch = try FileDescriptor(watchingProcess: processID)
    var poll = Poll()
    poll.set(watch.number, .reading)
    guard try poll.wait(until: Clock.now + limit) > 0 else { return nil }
    var status: Int32 = 0
    _ = try Errno.check { waitpid(processID, &status, 0) }
    // The low seven bits are the signal, the next byte is the status (`<bits/waitstatus.h>`).
    let signal = status & 0x7F
    ending = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    return ending
  }

  /// Sends SIGTERM, and SIGKILL after the limit.
  @discardableResult
  public func terminate(limit: Interval = .seconds(30)) throws(Errno) -> Ending? {
    signal(.terminate)
    if let ending = try wait(limit: limit) { return ending }
    kill()
    return try wait(limit: limit)
  }

  /// The result of a program that has ended.
  public struct Outcome: Sendable {
    /// nil when the limit came first and it was killed.
    public let ending: Ending?
    public let output: [UInt8]
    public let errorOutput: [UInt8]

    /// The output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The messages as text.
    public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
  }

  /// Runs a program to its end and collects its output.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    input: [UInt8] = [], limit: Interval = .seconds(30)
  ) throws -> Outcome {
    let child = try ChildProcess(
      program, arguments, environment: environment, input: .pipe, output: .pipe,
      errorOutput: .pipe)
    return try child.converse(input: input, until: Clock.now + limit)
  }

  private func converse(input: [UInt8], until deadline: Instant) throws -> Outcome {
    var rest = input[...]
    var output: [UInt8] = []
    var errors: [UInt8] = []
    while outputEnd.isOpen || errorEnd.isOpen {
      var poll = Poll()
      if rest.isEmpty { closeInput() }
      if inputEnd.isOpen { poll.set(inputEnd.number, .writing) }
      if outputEnd.isOpen { poll.set(outputEnd.number, .reading) }
      if errorEnd.isOpen { poll.set(errorEnd.number, .reading) }
      if try poll.wait(until: deadline) == 0 { break }
      if inputEnd.isOpen, !poll.readiness(of: inputEnd.number).isEmpty {
        do throws(Errno) {
          rest = rest.dropFirst(try inputEnd.write(rest) ?? 0)
        } catch {
          // A child that does not read its input is no failure.
          rest = []
        }
      }
      try outputEnd.drain(into: &output)
      try errorEnd.drain(into: &errors)
    }
    let ending = try wait(limit: max(.zero, deadline - Clock.now))
    if ending == nil { kill() }
    return Outcome(ending: ending, output: output, errorOutput: errors)
  }
}

/// This process's end of a pipe to a child, while there is one.
private final class PipeEnd {
  private var file: FileDescriptor?

  var number: Int32 { file?.number ?? -1 }
  var isOpen: Bool { file != nil }

  func set(_ file: consuming FileDescriptor) { self.file = consume file }
  func close() { file = nil }

  func read(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    guard file != nil else { return 0 }
    return try file?.read(into: &buffer)
  }

  func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int? {
    // Outside the programs that ignore it, SIGPIPE would end this process when the child has ended.
    Signals.ignoreBrokenPipes()
    guard file != nil else { throw .brokenPipe }
    return try file?.write(bytes)
  }

  /// Takes everything that is there; closes at the end.
  func drain(into bytes: inout [UInt8]) throws(Errno) {
    guard isOpen else { return }
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while let count = try read(into: &chunk) {
      if count == 0 { return close() }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

/// The redirections of a child that is about to be started.
private struct Plan {
  private var actions = posix_spawn_file_actions_t()
  private var childEnds: [Int32] = []

  init() {
    posix_spawn_file_actions_init(&actions)
  }

  mutating func close() {
    posix_spawn_file_actions_destroy(&actions)
    for end in childEnds { Glibc.close(end) }
    childEnds = []
  }

  mutating func redirect(
    _ standard: Int32, to stream: ChildProcess.Stream, keeping kept: PipeEnd
  ) throws(Errno) {
    switch stream {
    case .inherited: break
    case .null: posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
    case .descriptor(let number): posix_spawn_file_actions_adddup2(&actions, number, standard)
    case .sameAsOutput: posix_spawn_file_actions_adddup2(&actions, 1, standard)
    case .pipe:
      var ends: [Int32] = [-1, -1]
      _ = try Errno.check { cposix_pipe(&ends, 0) }
      let isInput = standard == 0
      let own = FileDescriptor(owning: isInput ? ends[1] : ends[0])
      childEnds.append(isInput ? ends[0] : ends[1])
      try own.setNonBlocking(true)
      posix_spawn_file_actions_adddup2(&actions, isInput ? ends[0] : ends[1], standard)
      kept.set(own)
    }
  }

  mutating func spawn(
    _ words: [String], environment: [String: String]?
  ) throws(Errno) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // An ignored SIGPIPE and this thread's blocked signals would be inherited; programs expect neither.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var arguments = words.map { strdup($0) } + [nil]
    var variables = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: Int32 = 0
    let failure =
      environment == nil
      ? posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
      : posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables)
    if failure != 0 { throw Errno(code: failure) }
    return process
  }
}
