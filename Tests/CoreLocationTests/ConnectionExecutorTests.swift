import Foundation
import Testing

@testable import CoreLocation

@Suite(.timeLimit(.minutes(5)))
struct ConnectionExecutorTests {
  private let executor = ConnectionExecutor()

  /// Starts a task that prefers the executor, on a new thread; returns whether the task runs on that thread.
  private func taskRunsOnTheThread(beginning: Bool) async -> Bool {
    await withCheckedContinuation { caller in
      let thread = Thread { [executor] in
        if beginning { executor.begin() }
        let starter = pthread_self()
        let ended = DispatchSemaphore(value: 0)
        Task(executorPreference: executor) {
          caller.resume(returning: pthread_self() == starter)
          ended.signal()
        }
        // The number of a thread that has ended may belong to another one.
        ended.wait()
      }
      thread.start()
    }
  }

  @Test func aTaskThatTheConnectionsThreadResumesRunsThere() async {
    #expect(await taskRunsOnTheThread(beginning: true))
  }

  /// A thread that cancels a task holds locks of the task, which the task needs.
  @Test func aTaskThatAnotherThreadResumesRunsElsewhere() async {
    #expect(await !taskRunsOnTheThread(beginning: false))
  }
}
