import BinnacleModel
import TestSupport
import Testing

@testable import CoreLocation

/// The executor of the tasks of managers.
@Suite(.timeLimit(.minutes(1)))
struct ClassicExecutorTests {
  private let executor = ClassicExecutor.ofThisProcess

  @Test func aTaskRunsToItsEnd() async {
    let task = Task(executorPreference: executor) {
      await Task.yield()
      return 4
    }
    #expect(await task.value == 4)
  }

  @Test func standardUpdatesDoNotUseTheGlobalExecutor() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let daemon = try ScriptedDaemon(in: path)
    let connection = DaemonConnection(program: "test") { path }
    let (news, delivered) = AsyncStream<Bool>.makeStream()
    let own = executor.asUnownedTaskExecutor()
    let updates = StandardUpdates(service: { connection }) { _, _ in
      let present = withUnsafeCurrentTask { task in task?.unownedTaskExecutor }
      delivered.yield(present == own)
    }
    updates.start()
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    try daemon.explain(.locationUnavailable, to: 1)
    var words = news.makeAsyncIterator()
    #expect(await words.next() == true)
    updates.stop()
    withExtendedLifetime(directory) {}
  }
}
