import BinnaclePosix

/// Signals to a set of processes that may fork meanwhile.
enum ProcessSignal {
  /// More passes are not made: a set that grows faster than it is read cannot be caught.
  private static let passesMax = 100

  /// Sends a signal to each process of a set, until a pass finds no new process.
  ///
  /// A process with a pending signal cannot fork: the kernel starts the call again after the signal. So the passes end.
  ///
  /// - Parameters:
  ///   - signal: the number of the signal.
  ///   - isMember: whether a process belongs to the set; asked again after the process is held by its descriptor.
  ///   - candidates: the numbers of the processes that may belong to the set.
  static func send(
    _ signal: Int32, to isMember: (Int32) -> Bool, among candidates: () -> [Int32]
  ) {
    var signaled: Set<Int32> = []
    for _ in 0..<passesMax {
      let new = candidates().filter { !signaled.contains($0) && isMember($0) }
      if new.isEmpty { return }
      for number in new {
        signaled.insert(number)
        guard let process = try? ProcessHandle(processID: number), isMember(number) else {
          continue
        }
        try? process.signal(signal)
      }
    }
  }
}
