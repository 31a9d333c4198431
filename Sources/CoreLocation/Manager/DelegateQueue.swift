internal import Foundation
internal import Synchronization

/// The place where a manager calls its delegate: the main queue, or the run loop of the thread that made the manager.
///
/// The main queue is served in programs with a main run loop and in programs with an asynchronous `main`. In the latter
/// another thread than the first one serves the main queue, and threads of tasks have no run loop: a manager that a task
/// makes uses the main queue.
final class DelegateQueue: Sendable {
  private enum Place {
    case main
    case runLoop(ThreadLoop)
  }

  /// The run loop of another thread than the main thread.
  private struct ThreadLoop {
    let runLoop: RunLoop
    /// Keeps the run loop running while the manager exists: a run loop without a timer or a port ends at once.
    let anchor: Timer
  }

  private nonisolated(unsafe) let place: Place
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  /// The key of the main queue's mark.
  ///
  /// A key has no state, so every thread may use it. Swift 6.0 does not declare that.
  private struct Mark: @unchecked Sendable {
    let key = DispatchSpecificKey<Bool>()
  }

  private static let mark: Mark = {
    let mark = Mark()
    DispatchQueue.main.setSpecific(key: mark.key, value: true)
    return mark
  }()

  /// The queue of the calling thread or task.
  init() {
    let isMain =
      Thread.isMainThread || DispatchQueue.getSpecific(key: DelegateQueue.mark.key) == true
    let isTask = withUnsafeCurrentTask { $0 != nil }
    if isMain || isTask {
      place = .main
    } else {
      // A timer without a date fires at once on Linux.
      let anchor = Timer(fire: Date(timeIntervalSinceNow: 1e9), interval: 0, repeats: false) { _ in
      }
      RunLoop.current.add(anchor, forMode: .common)
      place = .runLoop(ThreadLoop(runLoop: RunLoop.current, anchor: anchor))
    }
  }

  /// The manager is gone.
  func end() {
    if case .runLoop(let thread) = place { thread.anchor.invalidate() }
  }

  /// Performs a block after the earlier ones.
  ///
  /// The place has at most one entry for all blocks that wait.
  func perform(_ block: @escaping @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(block)
      return waiting.count == 1
    }
    guard isFirst else { return }
    switch place {
    case .main: DispatchQueue.main.async { [self] in run() }
    case .runLoop(let thread):
      // On Linux `RunLoop.perform` does not wake a waiting run loop. A timer wakes it. The timer keeps the queue, because a
      // completion is called also if the manager is gone.
      let timer = Timer(timeInterval: 0, repeats: false) { [self] _ in run() }
      thread.runLoop.add(timer, forMode: .common)
    }
  }

  private func run() {
    let blocks = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for block in blocks { block() }
  }
}
