/// Keys of the report: fixes and sequences.
extension ReportKey<String> {
  public static var fixesDateSource: Self {
    Self(
      "fixes.date_from", "source of the date when the receiver sends none, or why there is no fix")
  }
  public static var fixTime: Self {
    Self("fixes.last_time", "time of the last fix, RFC 3339")
  }
  public static var fixAccuracyOrigin: Self {
    Self(
      "fixes.accuracy_origin",
      "source of the horizontal accuracy: `receiver`, `dilution of precision x 5 m`, or "
        + "`assumed: ...` when the receiver sends neither")
  }
  public static var fixPositionSource: Self {
    Self(
      "fixes.position_from",
      "NMEA sentence of the last position: `GGA`, `GNS`, `PUBX,00`, `GLL` or `RMC`; absent for "
        + "UBX")
  }
  public static var sessionsModel: Self {
    Self("sessions.model_wanted", "dynamic model that all sequences together require")
  }
}

extension ReportKey<Int64> {
  public static var fixesAccepted: Self {
    Self("fixes.accepted", "fixes since the start")
  }
  public static func rejectedSolutions(_ cause: String) -> Self {
    Self("rejected.\(cause)", "solutions that were rejected for this cause")
  }
  public static var damageBytes: Self {
    Self("damage.bytes", "bytes that were discarded")
  }
  public static func damageOccurrences(_ cause: String) -> Self {
    Self("damage.\(cause)", "times that bytes were discarded for this cause")
  }
  public static var sessionsPaused: Self {
    Self("sessions.paused", "sequences whose updates pause")
  }
  public static var sessionsIgnoredRequests: Self {
    Self("sessions.ignored_requests", "requests that were ignored")
  }
  public static var sessionsRate: Self {
    Self("sessions.rate_wanted_hz", "rate that all sequences together require")
  }
}

extension ReportKey<Double> {
  public static var fixAge: Self {
    Self("fixes.last_age_s", "age of the last fix")
  }
  public static var fixFirstAfter: Self {
    Self(
      "fixes.first_after_s",
      "time from the daemon's start to the first fix; absent before it")
  }
  public static var fixHorizontalAccuracy: Self {
    Self(
      "fixes.last_horizontal_accuracy_m",
      "radius that contains the last position with 68 % probability")
  }
  public static var fixVerticalAccuracy: Self {
    Self(
      "fixes.last_vertical_accuracy_m",
      "standard deviation of the last height; absent when not measured")
  }
}

extension ReportCatalog {
  static var fixes: [Entry] {
    [
      .init(.fixesAccepted),
      .init(.fixFirstAfter),
      .init(.fixesDateSource),
      .init(.fixAge),
      .init(.fixHorizontalAccuracy),
      .init(.fixVerticalAccuracy),
      .init(.fixTime),
      .init(.fixAccuracyOrigin),
      .init(.fixPositionSource),
      .init(.rejectedSolutions("CAUSE")),
      .init(.damageBytes),
      .init(.damageOccurrences("CAUSE")),
      .init(.sessionsPaused),
      .init(.sessionsIgnoredRequests),
      .init(.sessionsRate),
      .init(.sessionsModel),
    ]
  }
}
