/// Keys of the rows of lists: `binnacle apps`, `grants` and `prompts`.
///
/// A row is a report of its own. A value that does not exist is absent.
extension ReportKey<String> {
  public static var rowID: Self {
    Self(
      "id",
      "the app: the identifier of its manifest, else user and program, such as `1000:/usr/bin/tracker`; `door.nmea:1000`, a reader of a door"
    )
  }
  public static var rowExecutable: Self { Self("executable", "path of the program") }
  public static var rowState: Self {
    Self(
      "state",
      "`not_running`, `foreground`, `background` or `suspended`; absent for a tool of an operator")
  }
  public static var rowDayState: Self {
    Self(
      "state",
      "of the movement `moving`, `resting` or `not_judged`; of the receiver `absent`, `silent`, `searching`, `fix`, `paused` or `asleep`; of the light `dark`, `asserting`, `lit` or `failed`; of an app `not_running`, `foreground`, `background` or `suspended`; of the daemon `started`"
    )
  }
  public static var rowAuthorization: Self {
    Self(
      "authorization", "`not_determined`, `restricted`, `denied`, `when_in_use` or `always`")
  }
  public static var rowAccuracy: Self {
    Self("accuracy", "`full`, or `reduced`: the app gets the center of a cell of 5 km")
  }
  public static var rowSince: Self {
    Self("since", "time of the answer, of the request, or of the beginning of the use, UTC")
  }
  public static var rowStateSince: Self {
    Self(
      "since",
      "when the state began, UTC; absent while the daemon does not know the time, and if the app has not run since the daemon's start"
    )
  }
  public static var rowFrom: Self { Self("from", "beginning of the use, UTC") }
  public static var rowTo: Self {
    Self(
      "to", "end of the use, UTC; absent while it continues; after a power cut, the last known time"
    )
  }
  public static var rowRole: Self {
    Self("role", "`app`, `operator`: a tool of an operator, or `door`: a reader of a door")
  }
  public static var rowConsoleRole: Self {
    Self("role", "`console`: an unlocked console or wrong PINs; absent for other rows")
  }
  public static var rowRight: Self {
    Self(
      "right",
      "`foreground`, `background_session`, `classic` (standard updates), `live_activity`, `always_session` (also the readers of doors) or `operator`; of a console `console_pin`, `console_presence`: unlocked by the PIN or by a person at the board, or `console_wrong_pin`"
    )
  }
  public static var rowFlags: Self {
    Self("flags", "the flags of the app's updates, by Apple's names, separated by blanks")
  }
  public static var rowKey: Self {
    Self(
      "key",
      "the condition: `services`, `authorization`, `accuracy`, `service_session`, `use`, `light`, `updates`, `process`, `receiver`, `fix` or `movement`"
    )
  }
  public static var rowChange: Self {
    Self("change", "the one thing that would change the condition")
  }
  public static var rowBy: Self {
    Self(
      "by",
      "`button`, `console`, `command` or `profile`; `damage`: the last answer is lost, so the app is denied"
    )
  }
  public static var rowRequest: Self {
    Self("request", "the right that the app requests: `when_in_use`, `always` or `full_accuracy`")
  }
  public static var rowLiveActivity: Self {
    Self("live_activity", "text of the app's live activity; absent while there is none")
  }
  public static var rowNextLaunchAt: Self {
    Self("next_launch_at", "when the launcher may launch the app again, while it waits for that")
  }
  public static var rowReason: Self {
    Self("reason", "how the last process of the app ended, or why the last order was refused")
  }
  public static var rowText: Self {
    Self("text", "the sentence for the person")
  }
  public static var rowPart: Self {
    Self("part", "`daemon`, `movement`, `receiver`, `light` or `app`")
  }
  public static var rowBegan: Self {
    Self("at", "when the state began, UTC; absent while the daemon does not know the time")
  }
  public static var rowAt: Self { Self("at", "when the daemon got the line, UTC") }
  public static var rowPriority: Self {
    Self("priority", "severity of the line: `error`, `warning`, `notice`, `info` or `debug`")
  }
  public static var rowSection: Self { Self("section", "section of the profile") }
  public static var rowValue: Self {
    Self("value", "the value that counts, as a file has it; absent without one")
  }
  public static var rowOrigin: Self {
    Self("origin", "`default`, `profile`, `drop-in` or `command line`")
  }
  public static var rowFile: Self {
    Self("file", "path of the profile or drop-in; absent for other origins")
  }
  public static var rowSetting: Self { Self("key", "name of the setting") }
  public static var rowLogText: Self { Self("text", "the line without its time") }
  public static var rowLoggedAt: Self { Self("at", "when the daemon wrote the line, UTC") }
  public static var rowPresence: Self {
    Self("presence", "what a person does to unlock a console, such as `press HOME twice`")
  }
  public static var rowLine: Self {
    Self("line", "a line of the app's output; absent where lines were dropped")
  }
}

extension ReportKey<ProcessIDs> {
  public static var rowProcessIDs: Self { Self("process_ids", "processes of the app") }
}

extension ReportKey<Int64> {
  public static var rowUserID: Self { Self("user_id", "user of the processes") }
  public static var rowServiceSessions: Self {
    Self("service_sessions", "open objects of `CLServiceSession`")
  }
  public static var rowUpdates: Self { Self("updates", "locations that were delivered") }
  public static var rowLaunches: Self {
    Self("launches", "launches by the launcher since the daemon's start")
  }
  public static var rowWaiting: Self {
    Self("waiting", "updates that wait for the app while it is suspended or launched")
  }
  public static var rowDropped: Self {
    Self("dropped", "locations that were dropped because `QueueMax` waited")
  }
  public static var rowFileLine: Self {
    Self("file_line", "line of the key in this file, counted from 1")
  }
  public static var rowLeftOut: Self {
    Self("left_out", "apps without a place in the history; absent when there are none")
  }
  public static var rowWrongPINs: Self {
    Self("wrong_pins", "wrong PINs of the series; absent for other rows")
  }
  public static var rowLostLines: Self { Self("lost", "lines that were dropped here") }
  public static var rowSequences: Self { Self("sequences", "open sequences of live updates") }
}

extension ReportKey<Double> {
  public static var rowAge: Self { Self("age_s", "seconds since the state began") }
}

extension ReportKey<Bool> {
  public static var rowIsInUse: Self {
    Self("in_use", "the app is in the foreground, left it a short time ago, or holds a session")
  }
  public static var rowHasBackgroundSession: Self {
    Self(
      "background_session", "the app holds a background activity session, with or without a process"
    )
  }
  public static var rowIsManaged: Self {
    Self("managed", "the daemon starts, suspends and ends the app")
  }
  public static var rowIsLampVerified: Self {
    Self("lamp_verified", "the indicator was read back lit before the first location")
  }
  public static var rowIsInterrupted: Self {
    Self(
      "interrupted",
      "the daemon or the power ended within the epoch: `to` and `updates` are of its last record; absent for other rows"
    )
  }
  public static var rowHasPIN: Self { Self("pin", "the board has a PIN for consoles") }
  public static var rowReceives: Self { Self("receives", "the app gets locations now") }
  public static var rowHolds: Self { Self("holds", "the condition is met") }
  public static var rowIsOpen: Self {
    Self("open", "with `--follow`: the request is open; false: it is answered or withdrawn")
  }
  public static var rowIsShown: Self {
    Self("shown", "the prompt of the request is open now")
  }
}
