import Posix

/// A pipe that wakes a thread out of `poll`; ringing twice is as good as once.
///
/// Its descriptors are closed on exec and never block.
final class Bell: Sendable {
  private let pipe: Posix.Pipe

  init() throws(Errno) {
    pipe = try Posix.Pipe()
  }

  /// What to poll for reading.
  var descriptor: Int32 { pipe.readEnd.number }

  func ring() {
    // A full pipe rings already, and nothing else can fail.
    _ = try? pipe.writeEnd.write([0])
  }

  /// Makes it silent until it is rung again.
  func silence() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while let count = try? pipe.readEnd.read(into: &bytes), count == bytes.count {}
  }
}
