internal import Foundation

/// Runs the tasks of managers beside the threads of the global executor.
///
/// The global executor has as many threads as the board has processors. Tasks of an app that block all of them, for
/// example in calls of files, would stop the calls of each delegate. Each thread may use the queue; Swift 6.0 does not
/// declare that.
final class ClassicExecutor: TaskExecutor, @unchecked Sendable {
  /// A serial queue, which gets a thread also while the threads of the global executor are blocked.
  ///
  /// Only the end of a search without a location, after 10 s, waits for a thread of the global executor.
  private let queue = DispatchQueue(label: "CoreLocation.updates")

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { unowned.runSynchronously(on: executor) }
  }
}

extension ClassicExecutor {
  private static let shared = PerProcess { ClassicExecutor() }

  /// The executor of this process.
  static var ofThisProcess: ClassicExecutor { shared.value }
}
