/// Keys of the report: buttons and lamps.
extension ReportKey<String> {
  public static func lampState(_ lamp: String) -> Self {
    Self(
      "\(lamp).state",
      "wanted state of the lamp, `on` or `off`; LAMP is `indicator` or `status_light`")
  }
  public static func lampReadBack(_ lamp: String) -> Self {
    Self("\(lamp).read_back", "level of its line at the last reading, `on` or `off`")
  }
  public static var senseState: Self {
    Self("indicator.sense", "level of the input that is wired to the indicator, `on` or `off`")
  }
  public static var senseFault: Self {
    Self("indicator.sense_fault", "fault of this input's line")
  }
  public static var statusLightPattern: Self {
    Self(
      "status_light.pattern",
      "pattern of the status light and its meaning, such as `slow blink: searching`")
  }
  public static func lineName(_ part: String) -> Self {
    Self("\(part).line", "line of a part; PART is a lamp, `indicator.sense` or `buttons.NAME`")
  }
  public static func lineState(_ part: String) -> Self {
    Self("\(part).line_state", "whether the daemon has claimed the line")
  }
  public static func lineFault(_ part: String) -> Self {
    Self("\(part).fault", "reason why the daemon has not claimed the line")
  }
  public static func buttonLastGesture(_ button: String) -> Self {
    Self("buttons.\(button).last_gesture", "`short`, `long` or `double`")
  }
}

extension ReportKey<Int64> {
  public static func lampMismatches(_ lamp: String) -> Self {
    Self("\(lamp).mismatches", "readings that differ from the wanted state")
  }
  public static var senseMismatches: Self {
    Self("indicator.sense_mismatches", "readings of this input that differ from the wanted state")
  }
  public static func lineLosses(_ part: String) -> Self {
    Self("\(part).losses", "times that the line was lost")
  }
  public static func buttonShort(_ button: String) -> Self {
    Self("buttons.\(button).short", "short presses")
  }
  public static func buttonLong(_ button: String) -> Self {
    Self("buttons.\(button).long", "long presses")
  }
  public static func buttonDouble(_ button: String) -> Self {
    Self("buttons.\(button).double", "double presses")
  }
  public static func buttonIgnored(_ button: String) -> Self {
    Self("buttons.\(button).ignored", "presses longer than short and shorter than long")
  }
  public static func buttonBounces(_ button: String) -> Self {
    Self("buttons.\(button).bounces", "bounces")
  }
}

extension ReportKey<Double> {
  public static func buttonLongPress(_ button: String) -> Self {
    Self("buttons.\(button).long_press_s", "time after which a press is long")
  }
  public static func buttonLastGestureAge(_ button: String) -> Self {
    Self("buttons.\(button).last_gesture_age_s", "time since this gesture")
  }
}

extension ReportKey<Bool> {
  public static func lampIsFaulty(_ lamp: String) -> Self {
    Self("\(lamp).is_faulty", "the lamp is unreliable")
  }
  public static var senseIsFaulty: Self {
    Self("indicator.sense_is_faulty", "this input is unreliable")
  }
  public static func buttonIsPressed(_ button: String) -> Self {
    Self("buttons.\(button).is_pressed", "level of the button without bounces")
  }
  public static func buttonWaitsForRelease(_ button: String) -> Self {
    Self(
      "buttons.\(button).waits_for_release",
      "held since the start or after a long press; otherwise absent")
  }
  public static func buttonIsDebouncedByChip(_ button: String) -> Self {
    Self("buttons.\(button).is_debounced_by_chip", "the kernel debounces, too")
  }
}

extension ReportCatalog {
  static var panel: [Entry] {
    [
      .init(.lampState("LAMP")),
      .init(.lampReadBack("LAMP")),
      .init(.lampIsFaulty("LAMP")),
      .init(.lampMismatches("LAMP")),
      .init(.senseState),
      .init(.senseMismatches),
      .init(.senseIsFaulty),
      .init(.senseFault),
      .init(.statusLightPattern),
      .init(.lineName("PART")),
      .init(.lineState("PART")),
      .init(.lineFault("PART")),
      .init(.lineLosses("PART")),
      .init(.buttonIsPressed("NAME")),
      .init(.buttonLongPress("NAME")),
      .init(.buttonWaitsForRelease("NAME")),
      .init(.buttonLastGesture("NAME")),
      .init(.buttonLastGestureAge("NAME")),
      .init(.buttonShort("NAME")),
      .init(.buttonLong("NAME")),
      .init(.buttonDouble("NAME")),
      .init(.buttonIgnored("NAME")),
      .init(.buttonBounces("NAME")),
      .init(.buttonIsDebouncedByChip("NAME")),
    ]
  }
}
