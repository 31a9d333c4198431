internal import BinnacleModel
internal import CoreLocation
internal import Foundation
internal import Synchronization

/// The tasks of this process that delay the suspension of the app.
final class BackgroundTasks: Sendable {
  private struct Task: Sendable {
    let session: SessionStorage
    let expired: (@MainActor @Sendable () -> Void)?
  }

  private struct Inside {
    var tasks: [Int: Task] = [:]
    var lastNumber = 0
    var backgroundSince: Double?
  }

  /// The longest delay of a suspension, in seconds.
  static let timeMax = 30.0

  private let inside = Mutex(Inside())

  /// Begins a task; returns its number.
  func begin(_ expired: (@MainActor @Sendable () -> Void)?) -> Int {
    let session = SessionStorage(.backgroundTask)
    session.begin()
    return inside.withLock { inside in
      inside.lastNumber += 1
      inside.tasks[inside.lastNumber] = Task(session: session, expired: expired)
      return inside.lastNumber
    }
  }

  /// Ends a task; another number changes nothing.
  func end(_ number: Int) {
    inside.withLock { $0.tasks.removeValue(forKey: number) }?.session.end()
  }

  /// The app has entered or left the background.
  func phaseChanged(isInBackground: Bool) {
    inside.withLock { $0.backgroundSince = isInBackground ? BackgroundTasks.now : nil }
  }

  /// The time of the tasks is over: each is informed, and all of them end.
  @MainActor
  func expire() {
    let tasks = inside.withLock { Array($0.tasks) }.sorted { $0.key < $1.key }
    for (_, task) in tasks { task.expired?() }
    for (number, _) in tasks { end(number) }
  }

  /// The time until the suspension that the tasks still delay, in seconds; without a limit in the foreground.
  var timeRemaining: Double {
    let since = inside.withLock { $0.backgroundSince }
    guard let since else { return .greatestFiniteMagnitude }
    return max(0, since + BackgroundTasks.timeMax - BackgroundTasks.now)
  }

  private static var now: Double { ProcessInfo.processInfo.systemUptime }
}
