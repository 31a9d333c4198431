internal import Foundation

/// The place where a manager calls its delegate: the main queue, or the run loop of the thread that made the manager.
///
/// The main queue is served in programs with a main run loop and in programs with an asynchronous `main`. In the latter
/// another thread than the first one serves the main queue, and threads of tasks have no run loop: a manager that a task
/// makes uses the main queue.
struct DelegateQueue: @unchecked Sendable {
  /// nil: the main queue.
  private let runLoop: RunLoop?

  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// The queue of the calling thread or task.
  init() {
    let isMain = Thread.isMainThread || DispatchQueue.getSpecific(key: DelegateQueue.mark) == true
    let isTask = withUnsafeCurrentTask { $0 != nil }
    runLoop = isMain || isTask ? nil : RunLoop.current
  }

  func perform(_ block: @escaping @Sendable () -> Void) {
    if let runLoop {
      runLoop.perform(block)
    } else {
      DispatchQueue.main.async(execute: block)
    }
  }
}
