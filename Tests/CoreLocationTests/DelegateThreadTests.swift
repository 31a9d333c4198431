import BinnacleModel
import BinnacleWire
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// The thread on which a delegate is called.
@Suite(.timeLimit(.minutes(1)))
struct DelegateThreadTests {
  /// Makes a manager on a thread of its own, and records the threads of its calls.
  private final class Worker: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    let calls: AsyncStream<Bool>
    private let called: AsyncStream<Bool>.Continuation
    private let connection: DaemonConnection
    private var thread: Thread?

    init(_ connection: DaemonConnection) {
      self.connection = connection
      (calls, called) = AsyncStream.makeStream()
      super.init()
      let thread = Thread { [self] in work() }
      self.thread = thread
      thread.start()
    }

    private func work() {
      let connection = connection
      let authorization = AuthorizationStorage { connection }
      let manager = CLLocationManager.with(.init(authorization: authorization) { connection }) {
        CLLocationManager()
      }
      manager.delegate = self
      // The run loop has no timer and no port of the app.
      while RunLoop.current.run(mode: .default, before: .distantFuture) {}
      withExtendedLifetime(manager) {}
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      called.yield(Thread.current === thread)
    }
  }

  @Test func aManagerOfAnotherThreadCallsOnTheRunLoopOfThisThread() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let daemon = try ScriptedDaemon(in: path)
    let worker = Worker(DaemonConnection(program: "test") { path })
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .authorizationWatched)
    var calls = worker.calls.makeAsyncIterator()
    try daemon.send(.authorization(AuthorizationState(.whenInUse)))
    #expect(await calls.next() == true)
    // The run loop waits again now.
    try daemon.send(.authorization(AuthorizationState(.denied)))
    #expect(await calls.next() == true)
  }

  @Test func aCompletionIsCalledOnTheRunLoopAlsoIfTheManagerIsGone() async {
    let answers = AsyncStream<Int>.makeStream()
    Thread {
      DelegateThreadTests.requestWithAManagerThatEnds(answers.continuation)
      // The run loop ends when it has no timer any more.
      while RunLoop.current.run(mode: .default, before: .distantFuture) {}
      answers.continuation.finish()
    }.start()
    var codes = answers.stream.makeAsyncIterator()
    #expect(await codes.next() == CLError.Code.promptDeclined.rawValue)
    #expect(await codes.next() == nil)
  }

  /// Makes a request that is answered at once, because the key is empty.
  private static func requestWithAManagerThatEnds(_ answered: AsyncStream<Int>.Continuation) {
    let connection = DaemonConnection(program: "test") { "/nowhere" }
    let authorization = AuthorizationStorage { connection }
    let manager = CLLocationManager.with(.init(authorization: authorization) { connection }) {
      CLLocationManager()
    }
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "") { error in
      answered.yield(error.map { DelegateEar.code($0) } ?? 0)
    }
  }
}
