import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreLocation

@Suite(.timeLimit(.minutes(5)))
struct ConnectionExecutorTests {
  private typealias Caller = UnsafeContinuation<Void, Never>
  private let executor = ConnectionExecutor()

  /// Suspends a task that prefers the executor, and resumes it on a thread; returns whether it went on there.
  private func goesOnOnTheThread(beginning: Bool) async -> Bool {
    let thread = Atomic<UInt>(0)
    return await withTaskExecutorPreference(executor) {
      await withUnsafeContinuation { (caller: Caller) in
        let resumer = Thread { [executor] in
          thread.store(pthread_self(), ordering: .relaxed)
          if beginning { executor.begin() }
          caller.resume()
        }
        resumer.start()
      }
      return thread.load(ordering: .relaxed) == pthread_self()
    }
  }

  @Test func aCallerThatTheConnectionsThreadResumesGoesOnThere() async {
    #expect(await goesOnOnTheThread(beginning: true))
  }

  /// A thread that cancels a task holds locks of the task, which the task needs.
  @Test func aCallerThatAnotherThreadResumesGoesOnElsewhere() async {
    #expect(await !goesOnOnTheThread(beginning: false))
  }
}
