import BinnacleBasics

/// A report of the launcher to the daemon: an answer to a request, or news about an app.
///
/// One packet: `u8` version, 3; `u8` kind. Answers continue with the `u32` number of the request. Kind 1, a program: `u64`
/// device, `u64` number of its file, `i64` time of the file's last change, in ns since 1970, `text` path. Kind 2, no program: `text` reason. Kind 3, done. Kind 4, failed: `text`
/// reason. News have no number. Kind 16, an app that runs: `text` identifier, `i32` number of its first process, `u8` 1 if
/// it is frozen, else 0, `text` path of its control group, empty if its processes are those of a session. Kind 17: all
/// apps that run were reported. Kind 18, an app has ended: `text` identifier, `u8` 1 exited, 2 killed or 3 unknown, `i32`
/// status or signal, 0 if unknown. Kind 19, a line of an app's output: `text` identifier, `text` line. Kind 20, lines of an app's
/// output that were dropped: `text` identifier, `u32` their number.
public enum LaunchReport: Equatable, Sendable {
  /// The answer to the request of this number.
  case answer(UInt32, Answer)
  /// The app runs; the first news about it comes before its program can connect to the daemon.
  case running(App)
  /// The list of the apps that ran at the request to attend is complete.
  case attended
  /// The first process of the app has ended, and the launcher has killed the others.
  case ended(String, Ending)
  /// A line of the app's output, without its end, cut at ``lineSizeMax`` bytes.
  case output(String, line: String)
  /// Lines of the app's output were dropped at this point; `count` is their number.
  case outputLost(String, count: UInt32)

  /// An answer to a request.
  public enum Answer: Equatable, Sendable {
    /// The path of the process's program as the process's own mounts show it, and the file itself.
    case program(path: String, device: UInt64, file: UInt64, changeTimeNanoseconds: Int64)
    /// The reason why the program is unknown.
    case unknown(reason: String)
    /// The order is carried out: the app is started, frozen or thawed, or the signal is sent.
    case done
    /// The order is not carried out, for this reason; an app whose start has failed does not run.
    case failed(reason: String)

    /// A reason as long as a report has room for: it may name two paths.
    public static func clipped(_ reason: String) -> String {
      guard reason.utf8.count > reasonSizeMax else { return reason }
      var text = String(decoding: reason.utf8.prefix(reasonSizeMax), as: UTF8.self)
      while text.utf8.count > reasonSizeMax { text.unicodeScalars.removeLast() }
      return text
    }

    /// The longest reason, in bytes.
    public static let reasonSizeMax = 1_000

    /// The answer, or a shorter one in its place that a report has room for.
    ///
    /// A report that is too long would cost the daemon the connection.
    public var fitting: Answer {
      switch self {
      case .program(let path, _, _, _) where path.utf8.count > LaunchReport.pathSizeMax:
        .unknown(reason: "the path of the program is too long")
      case .unknown(let reason): .unknown(reason: Answer.clipped(reason))
      case .failed(let reason): .failed(reason: Answer.clipped(reason))
      case .program, .done: self
      }
    }
  }

  /// An app that the launcher has started.
  public struct App: Equatable, Sendable {
    public var identifier: String
    /// The number of the first process.
    public var processID: Int32
    public var isFrozen: Bool
    public var group: Group

    public init(identifier: String, processID: Int32, isFrozen: Bool, group: Group) {
      self.identifier = identifier
      self.processID = processID
      self.isFrozen = isFrozen
      self.group = group
    }
  }

  /// The processes of an app.
  public enum Group: Equatable, Sendable {
    /// The processes of the control group with this path, as in /proc/PID/cgroup.
    case controlGroup(String)
    /// The processes of the session that the first process has made; a process that leaves the session leaves the app.
    case session
  }

  /// The end of an app's first process.
  public enum Ending: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// The process had another parent.
    case unknown
  }

  /// A longer packet is not a report.
  public static let sizeMax = 4_352
  /// The longest path of a program or a control group, in bytes: PATH_MAX.
  public static let pathSizeMax = 4_096
  /// The longest line of output, in bytes.
  public static let lineSizeMax = 1_000
}

extension LaunchReport {
  /// - Returns: nil if the packet is not a report of this version.
  public init?(decoding packet: [UInt8]) {
    var reader = ByteReader(packet)
    guard packet.count <= LaunchReport.sizeMax, reader.u8() == LaunchRequest.version,
      let kind = reader.u8(), let report = LaunchReport(kind: kind, &reader),
      reader.remaining == 0
    else { return nil }
    self = report
  }

  /// Reads which question about a program a packet answers.
  ///
  /// - Parameter start: the first bytes of the packet, which may be longer than a report.
  /// - Returns: the number of the question; nil for every other packet.
  public static func question(answeredBy start: [UInt8]) -> UInt32? {
    var reader = ByteReader(start)
    guard reader.u8() == LaunchRequest.version, let kind = reader.u8(), (1...2).contains(kind)
    else { return nil }
    return reader.u32()
  }

  private init?(kind: UInt8, _ reader: inout ByteReader) {
    switch kind {
    case 1...4:
      guard let number = reader.u32(), let answer = Answer(kind: kind, &reader) else { return nil }
      self = .answer(number, answer)
    case 16:
      guard let app = App(&reader) else { return nil }
      self = .running(app)
    case 17: self = .attended
    case 18:
      guard let identifier = LaunchRequest.identifier(&reader), let ending = Ending(&reader) else {
        return nil
      }
      self = .ended(identifier, ending)
    case 19:
      guard let identifier = LaunchRequest.identifier(&reader), let line = reader.text(),
        line.utf8.count <= LaunchReport.lineSizeMax
      else { return nil }
      self = .output(identifier, line: line)
    case 20:
      guard let identifier = LaunchRequest.identifier(&reader), let count = reader.u32() else {
        return nil
      }
      self = .outputLost(identifier, count: count)
    case _: return nil
    }
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.u8(LaunchRequest.version)
    switch self {
    case .answer(let number, let answer): answer.write(number, to: &writer)
    case .running(let app):
      writer.u8(16)
      app.write(to: &writer)
    case .attended: writer.u8(17)
    case .ended(let identifier, let ending):
      writer.u8(18)
      writer.text(identifier)
      ending.write(to: &writer)
    case .output(let identifier, let line):
      writer.u8(19)
      writer.text(identifier)
      writer.text(line)
    case .outputLost(let identifier, let count):
      writer.u8(20)
      writer.text(identifier)
      writer.u32(count)
    }
    return writer.bytes
  }
}

extension LaunchReport.Answer {
  fileprivate init?(kind: UInt8, _ reader: inout ByteReader) {
    switch kind {
    case 1:
      guard let device = reader.u64(), let file = reader.u64(),
        let changeTime = reader.i64(), let path = reader.text(), path.hasPrefix("/")
      else { return nil }
      self = .program(
        path: path, device: device, file: file, changeTimeNanoseconds: changeTime)
    case 2:
      guard let reason = reader.text() else { return nil }
      self = .unknown(reason: reason)
    case 3: self = .done
    case 4:
      guard let reason = reader.text() else { return nil }
      self = .failed(reason: reason)
    case _: return nil
    }
  }

  fileprivate func write(_ number: UInt32, to writer: inout ByteWriter) {
    switch self {
    case .program(let path, let device, let file, let changeTimeNanoseconds):
      writer.u8(1)
      writer.u32(number)
      writer.u64(device)
      writer.u64(file)
      writer.i64(changeTimeNanoseconds)
      writer.text(path)
    case .unknown(let reason):
      writer.u8(2)
      writer.u32(number)
      writer.text(reason)
    case .done:
      writer.u8(3)
      writer.u32(number)
    case .failed(let reason):
      writer.u8(4)
      writer.u32(number)
      writer.text(reason)
    }
  }
}

extension LaunchReport.App {
  fileprivate init?(_ reader: inout ByteReader) {
    guard let identifier = LaunchRequest.identifier(&reader), let process = reader.i32(),
      process > 0, let frozen = reader.u8(), frozen < 2, let path = reader.text(),
      path.isEmpty || path.hasPrefix("/")
    else { return nil }
    self.init(
      identifier: identifier, processID: process, isFrozen: frozen == 1,
      group: path.isEmpty ? .session : .controlGroup(path))
  }

  fileprivate func write(to writer: inout ByteWriter) {
    writer.text(identifier)
    writer.i32(processID)
    writer.u8(isFrozen ? 1 : 0)
    switch group {
    case .controlGroup(let path): writer.text(path)
    case .session: writer.text("")
    }
  }
}

extension LaunchReport.Ending {
  fileprivate init?(_ reader: inout ByteReader) {
    guard let kind = reader.u8(), let value = reader.i32() else { return nil }
    switch kind {
    case 1: self = .exited(status: value)
    case 2: self = .killed(signal: value)
    case 3 where value == 0: self = .unknown
    case _: return nil
    }
  }

  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .exited(let status):
      writer.u8(1)
      writer.i32(status)
    case .killed(let signal):
      writer.u8(2)
      writer.i32(signal)
    case .unknown:
      writer.u8(3)
      writer.i32(0)
    }
  }
}
