public import BinnacleBasics

/// The facts about a machine that can be read without changing it.
///
/// Paths are absolute; symbolic links are followed.
public protocol MachineView {
  /// The time of the machine's wall clock.
  var time: UTCTime { get }
  /// Whether the kernel reports the wall clock as synchronized.
  var isClockSynchronized: Bool { get }
  func contents(of path: String) -> FileContents
  /// The names in a directory, sorted; empty if the directory cannot be read.
  func names(in directory: String) -> [String]
  /// The file at the path; nil if there is none.
  func node(at path: String) -> Node?
  /// The path with all symbolic links resolved; nil for a broken link.
  func resolved(_ path: String) -> String?
  /// The processes that have a device open, as far as this user may see.
  func holders(of device: String) -> [Holder]
  /// The GPIO chips that this user may inspect.
  var lineChips: [LineChip] { get }
}

/// The result of reading a file.
public enum FileContents: Equatable, Sendable {
  case bytes([UInt8])
  case missing
  /// The file exists, but this user may not read it.
  case refused
}

/// The metadata of a file.
public struct Node: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case file
    case directory
    case socket
    case characterDevice(major: UInt32, minor: UInt32)
    case other
  }

  public var kind: Kind
  public var userID: UInt32
  public var groupID: UInt32
  /// The permission bits.
  public var mode: UInt32

  public init(kind: Kind, userID: UInt32, groupID: UInt32, mode: UInt32) {
    self.kind = kind
    self.userID = userID
    self.groupID = groupID
    self.mode = mode
  }
}

/// A process that has a device open.
public struct Holder: Equatable, Sendable {
  public var program: String
  public var processID: Int32

  public init(program: String, processID: Int32) {
    self.program = program
    self.processID = processID
  }
}

extension MachineView {
  /// A file's text; nil if the file cannot be read.
  func text(of path: String) -> String? {
    switch contents(of: path) {
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .missing, .refused: nil
    }
  }

  func exists(_ path: String) -> Bool { node(at: path) != nil }

  /// The lines of a file; empty if the file cannot be read.
  func lines(of path: String) -> [Substring] {
    (text(of: path) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The parts of a file that are separated by zero bytes, such as a process's arguments.
  func pieces(of path: String) -> [String] {
    guard case .bytes(let bytes) = contents(of: path) else { return [] }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first word of a file, such as a file in /sys; nil if there is none.
  func word(of path: String) -> String? {
    text(of: path)?.split { $0 == "\n" || $0 == " " }.first.map { String($0) }
  }
}

/// The last part of a path.
func lastPart(of path: String) -> String {
  path.split(separator: "/").last.map { String($0) } ?? path
}
