import BinnacleBasics
import BinnacleModel
import StateLog

/// The last app in the foreground, over restarts of the daemon and power cuts: HOME brings it back, or closes it.
///
/// The value of the record is the app as text. The app itself is not in the foreground after a start.
extension Engine {
  mutating func noteLastApp(at now: Instant, into effects: inout [Effect]) {
    guard apps.foreground.last != notedLastApp, storage.state.log.condition != .unread else {
      return
    }
    notedLastApp = apps.foreground.last
    keep(RecordTable.lastApp, value: notedLastApp?.recordKey, at: now, into: &effects)
  }

  mutating func adoptLastApp() {
    let value = storage.state.value(of: RecordTable.lastApp)
    guard let app = value.flatMap({ AppID(recordKey: $0) }), apps.declaration(of: app) != nil else {
      return
    }
    notedLastApp = app
    apps.foreground.recalled(app)
  }
}
