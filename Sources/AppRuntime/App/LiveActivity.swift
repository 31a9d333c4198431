internal import BinnacleModel
internal import CoreLocation
internal import Synchronization

/// A status of the app for the person, which keeps the app in use in the background as long as it is active.
///
///     let activity = LiveActivity("On the way to the customer")
///     activity.update("3 km to go")
///     activity.end()
///
/// `binnacle apps --json` and `binnacle status` show the text. The board's indicator is lit while the app is in the
/// background and may receive locations. The app needs `BackgroundModes=location` in its manifest. The activity begins
/// as soon as the app is in the foreground and authorized. The activity ends with ``end()``, with its last reference,
/// or with the process; the next process makes a new activity in the foreground.
public final class LiveActivity: Sendable {
  private let storage: Mutex<SessionStorage>

  /// Makes an activity.
  ///
  /// - Parameter text: the status; of a longer text the first 200 bytes.
  public init(_ text: String) {
    storage = Mutex(SessionStorage(.liveActivity(text: LiveActivity.short(text))))
    storage.withLock { $0.begin() }
  }

  deinit { end() }

  /// Changes the text of an activity that has not ended.
  public func update(_ text: String) {
    storage.withLock { storage in
      guard !storage.isOver else { return }
      let next = SessionStorage(.liveActivity(text: LiveActivity.short(text)))
      // The new object comes first: the activity ends with its last object.
      next.begin()
      storage.end()
      storage = next
    }
  }

  /// Ends the activity for good.
  public func end() { storage.withLock { $0.end() } }

  private static func short(_ text: String) -> String {
    var text = text
    while text.utf8.count > AppSession.activityTextSizeMax { text.removeLast() }
    return text
  }
}
