import CBinnaclePosix

/// Wakes a thread out of `poll`; ringing twice is as good as once.
///
/// Its descriptor is closed on exec and never blocks.
///
/// The corresponding C function is `eventfd`.
public final class Bell: Sendable {
  private let file: FileDescriptor

  public init() throws(Errno) {
    file = FileDescriptor(owning: try Errno.check { cposix_event_open() })
  }

  /// What to poll for reading.
  public var descriptor: Int32 { file.number }

  public func ring() {
    var one: UInt64 = 1
    let bytes = withUnsafeBytes(of: &one) { Array($0) }
    // A counter that is full rings already, and nothing else can fail.
    _ = try? file.write(bytes[...])
  }

  /// Makes it silent until it is rung again.
  public func silence() {
    var bytes = [UInt8](repeating: 0, count: 8)
    _ = try? file.read(into: &bytes)
  }
}
