/// Keys of the report: the receiver's power.
extension ReportKey<String> {
  public static var powerState: Self {
    Self(
      "power.state",
      "`on`, `resting` (all updates pause), `asleep`, `off` (asleep, no client wants "
        + "positions), `awake for a moment`, `falling asleep`, `being woken`, `on without a client`, or "
        + "`no receiver is set up`")
  }
  public static var powerCause: Self {
    Self("power.cause", "reason of the sleep")
  }
  public static var powerStaysOn: Self {
    Self("power.stays_on", "reason why the receiver stays on although it could sleep")
  }
  public static var powerLastWake: Self {
    Self("power.last_wake", "reason of the last wake-up")
  }
  public static var powerWokenBy: Self {
    Self("power.woken_by", "way to wake the receiver beside its own timer; absent without a way")
  }
  public static var wakeLineLine: Self {
    Self("power.wake_line.line", "line to the receiver's pin EXTINT; only with `ExtInt=`")
  }
  public static var wakeLineFault: Self {
    Self("power.wake_line.fault", "reason why this line is not used")
  }
  public static func powerUserName(_ number: String) -> Self {
    Self("power.user_\(number).who", "program that keeps the receiver on, or `binnacled`")
  }
  public static func powerUserPurpose(_ number: String) -> Self {
    Self("power.user_\(number).what", "purpose of this program")
  }
  public static var powerNextFix: Self {
    Self(
      "power.next_fix",
      "`it has one`, `hot start`, `warm start` or `cold start`; absent while no receiver is "
        + "heard, unless it sleeps")
  }
}

extension ReportKey<Int64> {
  public static var wakeLinePulses: Self {
    Self("power.wake_line.pulses", "pulses of this line")
  }
  public static var powerSleeps: Self {
    Self("power.sleeps", "times that the receiver was sent to sleep")
  }
  public static var powerWakes: Self {
    Self("power.wakes", "times that the receiver was woken and answered")
  }
  public static var powerWakesByItself: Self {
    Self("power.wakes_by_itself", "times that the receiver was heard in its sleep")
  }
  public static var powerSleepsRefused: Self {
    Self("power.sleeps_refused", "times that the receiver did not stop sending")
  }
  public static var powerWakesFailed: Self {
    Self("power.wakes_failed", "times that the receiver did not answer a wake-up")
  }
  public static var powerSettingsMended: Self {
    Self("power.settings_mended", "settings that the receiver lost in its sleep and got again")
  }
}

extension ReportKey<Double> {
  public static var powerSince: Self {
    Self("power.since_s", "time in this state")
  }
  public static var powerWakesIn: Self {
    Self("power.wakes_in_s", "longest time until the wake-up; only while the receiver sleeps")
  }
  public static func powerUserSince(_ number: String) -> Self {
    Self("power.user_\(number).for_s", "time since this program began to keep the receiver on")
  }
  public static var powerNextFixTime: Self {
    Self("power.next_fix_s", "time to the next position under an open sky")
  }
  public static var powerOnLastHour: Self {
    Self("power.on_s_last_hour", "seconds that the receiver was on in the last hour")
  }
  public static var powerOnLastDay: Self {
    Self("power.on_s_last_day", "seconds that the receiver was on in the last day")
  }
  public static var powerOnSinceStart: Self {
    Self("power.on_s_since_start", "seconds that the receiver was on since the daemon's start")
  }
  public static var powerUptime: Self {
    Self("power.uptime_s", "time since the daemon's start")
  }
}

extension ReportCatalog {
  static var power: [Entry] {
    [
      .init(.powerState),
      .init(.powerSince),
      .init(.powerCause),
      .init(.powerStaysOn),
      .init(.powerWakesIn),
      .init(.powerLastWake),
      .init(.powerWokenBy),
      .init(.wakeLineLine),
      .init(.wakeLinePulses),
      .init(.wakeLineFault),
      .init(.powerUserName("N")),
      .init(.powerUserPurpose("N")),
      .init(.powerUserSince("N")),
      .init(.powerNextFix),
      .init(.powerNextFixTime),
      .init(.powerOnLastHour),
      .init(.powerOnLastDay),
      .init(.powerOnSinceStart),
      .init(.powerUptime),
      .init(.powerSleeps),
      .init(.powerWakes),
      .init(.powerWakesByItself),
      .init(.powerSleepsRefused),
      .init(.powerWakesFailed),
      .init(.powerSettingsMended),
    ]
  }
}
