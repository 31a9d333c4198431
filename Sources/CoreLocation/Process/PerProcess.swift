internal import BinnaclePosix
internal import Synchronization

/// A value that each process makes for itself, at its first use.
///
/// A forked child has no copy of the parent's threads, so a value that waits for one of these threads has no use for the
/// child. The child makes its own value.
final class PerProcess<Value: Sendable>: Sendable {
  private struct Made {
    var processID: Int32
    var value: Value
  }

  private let made = Mutex<Made?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
  }

  /// The value of the calling process.
  var value: Value {
    made.withLock { made in
      let processID = Environment.processID
      if let made, made.processID == processID { return made.value }
      let value = make()
      made = Made(processID: processID, value: value)
      return value
    }
  }
}
