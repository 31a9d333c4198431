import CBinnaclePosix

/// Wakes a thread out of `poll`; two signals count as one.
///
/// Its descriptor is closed on exec and never blocks.
///
/// The corresponding C function is `eventfd`.
public final class EventFD: Sendable {
  private let file: FileDescriptor

  public init() throws(Errno) {
    file = FileDescriptor(owning: try Errno.check { cposix_event_open() })
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { file.number }

  public func signal() {
    var one: UInt64 = 1
    let bytes = withUnsafeBytes(of: &one) { Array($0) }
    // A full counter is already readable; no other error is possible.
    _ = try? file.write(bytes[...])
  }

  /// Takes the signal away.
  public func clear() {
    var bytes = [UInt8](repeating: 0, count: 8)
    _ = try? file.read(into: &bytes)
  }
}
