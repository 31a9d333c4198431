/// Keys of the report: rest and motion.
extension ReportKey<String> {
  public static var motionDeadAxes: Self {
    Self(
      "motion.dead_axes",
      "axes, as `x z`, that keep one number while the board moves; absent when there are none")
  }
  public static func restReason(_ base: String) -> Self {
    Self(
      "\(base).by",
      "cause of the change: `start`, `dwellReached`, `shaken`, `speed`, `displacement` or "
        + "`blind`")
  }
  public static func restSources(_ base: String) -> Self {
    Self(
      "\(base).sources",
      "witnesses of the newest quarter of a second: `both`, `accelerometer`, `receiver` or "
        + "`none`")
  }
  public static func restAccelerometer(_ base: String) -> Self {
    Self(
      "\(base).accelerometer",
      "instead of these `watching` (no motion is detected), or the reason why samples are unusable: "
        + "`absent`, `starting`, `silent`, `frozen`, `damaged` or `saturated`")
  }
  public static func restEndedBy(_ base: String) -> Self {
    Self("\(base).ended_by", "cause of the end of the last rest")
  }
}

extension ReportKey<Double> {
  public static func restSince(_ base: String) -> Self {
    Self("\(base).since_s", "time since the verdict changed")
  }
  public static func restDwell(_ base: String) -> Self {
    Self("\(base).dwell_s", "the dwell")
  }
  public static func restCredit(_ base: String) -> Self {
    Self("\(base).credit_s", "filled part of the dwell")
  }
  public static func restSway(_ base: String) -> Self {
    Self("\(base).sway_mg", "sway that the accelerometer measures")
  }
  public static func restThreshold(_ base: String) -> Self {
    Self("\(base).threshold_mg", "sway above which the board moves")
  }
  public static func restFloor(_ base: String) -> Self {
    Self("\(base).floor_mg", "sway of the board's rest, as learned")
  }
  public static func restSpeed(_ base: String) -> Self {
    Self("\(base).speed_mps", "speed by the receiver; absent when no speed counts")
  }
  public static func restDisplacement(_ base: String) -> Self {
    Self(
      "\(base).displacement_m", "distance from the place where this rest, or the wait for it, began"
    )
  }
  public static func restSpeedAccuracy(_ base: String) -> Self {
    Self("\(base).speed_accuracy_mps", "uncertainty of the speed")
  }
  public static func restDisplacementLimit(_ base: String) -> Self {
    Self("\(base).displacement_limit_m", "distance that ends a rest")
  }
  public static func restEndedAgo(_ base: String) -> Self {
    Self("\(base).ended_ago_s", "time since that end")
  }
}

extension ReportKey<Bool> {
  public static func restIsStationary(_ base: String) -> Self {
    Self("\(base).is_stationary", "the board rests for this dwell")
  }
  public static func restGoesOn(_ base: String) -> Self {
    Self(
      "\(base).goes_on",
      "the board rested here before the daemon stopped or the power was cut; otherwise absent")
  }
}

extension ReportCatalog {
  static var rest: [Entry] {
    [
      .init(.motionDeadAxes),
      .init(.restIsStationary("rest.N")),
      .init(.restIsStationary("motion")),
      .init(.restSince("rest.N")),
      .init(.restSince("motion")),
      .init(.restReason("rest.N")),
      .init(.restReason("motion")),
      .init(.restSources("rest.N")),
      .init(.restSources("motion")),
      .init(.restDwell("rest.N")),
      .init(.restDwell("motion")),
      .init(.restCredit("rest.N")),
      .init(.restCredit("motion")),
      .init(.restSway("rest.N")),
      .init(.restSway("motion")),
      .init(.restThreshold("rest.N")),
      .init(.restThreshold("motion")),
      .init(.restFloor("rest.N")),
      .init(.restFloor("motion")),
      .init(.restAccelerometer("rest.N")),
      .init(.restAccelerometer("motion")),
      .init(.restSpeed("rest.N")),
      .init(.restSpeed("motion")),
      .init(.restDisplacement("rest.N")),
      .init(.restDisplacement("motion")),
      .init(.restSpeedAccuracy("rest.N")),
      .init(.restDisplacementLimit("rest.N")),
      .init(.restGoesOn("rest.N")),
      .init(.restEndedBy("rest.N")),
      .init(.restEndedAgo("rest.N")),
    ]
  }
}
