internal import Glibc
internal import Synchronization

/// Resumes a suspended caller on the connection's thread, until the caller continues on its actor.
///
/// Without this executor, a caller that is resumed runs first on a thread of the global executor, which then wakes the
/// thread of the caller's actor. The connection's thread wakes that thread itself, so an update passes one thread less.
///
/// Only a caller on the main actor may use this executor. An actor without a thread of its own may continue on the
/// connection's thread (`swift_task_switch`), and the connection would deliver nothing as long as the app's code runs.
final class ConnectionExecutor: TaskExecutor {
  /// The connection's thread as a number; 0 before the thread runs.
  private let thread = Atomic<UInt>(0)

  /// Makes the calling thread the connection's thread.
  func begin() {
    thread.store(pthread_self(), ordering: .relaxed)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    // A task that is canceled is resumed by the canceling thread, which holds locks of the task.
    guard thread.load(ordering: .relaxed) == pthread_self() else {
      return globalConcurrentExecutor.enqueue(job)
    }
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
