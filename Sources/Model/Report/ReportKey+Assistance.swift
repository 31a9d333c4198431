/// Keys of the report: assistance for quick starts.
extension ReportKey<String> {
  public static var assistanceState: Self {
    Self(
      "assistance.state",
      "`being given`, `not needed any more`, or why the receiver gets no help for a quick start")
  }
  public static var assistanceReceiver: Self {
    Self(
      "assistance.receiver",
      "the individual receiver: hardware, firmware, module, number of its chip")
  }
  public static var assistanceGivenTo: Self {
    Self("assistance.given_to", "receiver that was helped last")
  }
}

extension ReportKey<Int64> {
  public static var assistanceKeptRecords: Self {
    Self("assistance.kept_records", "stored records of the navigation database")
  }
  public static var assistanceKeptLeftOut: Self {
    Self("assistance.kept_left_out", "records for which there was no room")
  }
  public static var assistanceGivenRecords: Self {
    Self("assistance.given_records", "records that this receiver got")
  }
  public static var assistanceGivenRecordsTaken: Self {
    Self(
      "assistance.given_records_taken",
      "records that this receiver acknowledged; absent if the receiver sends no acknowledgements")
  }
  public static var assistanceGivenRefused: Self {
    Self("assistance.given_refused", "records that this receiver refused")
  }
  public static var assistanceGivenUnanswered: Self {
    Self("assistance.given_unanswered", "records without an answer")
  }
}

extension ReportKey<Double> {
  public static var assistanceKeptAge: Self {
    Self("assistance.kept_age_s", "age of the stored records")
  }
  public static var assistanceGivenAge: Self {
    Self("assistance.given_age_s", "time since a receiver was helped last")
  }
  public static var assistanceGivenDatabaseAge: Self {
    Self("assistance.given_database_age_s", "age of these records")
  }
  public static var assistanceGivenUncertainty: Self {
    Self(
      "assistance.given_position_uncertainty_m",
      "uncertainty of the position given to this receiver")
  }
}

extension ReportCatalog {
  static var assistance: [Entry] {
    [
      .init(.assistanceState),
      .init(.assistanceReceiver),
      .init(.assistanceKeptRecords),
      .init(.assistanceKeptLeftOut),
      .init(.assistanceKeptAge),
      .init(.assistanceGivenAge),
      .init(.assistanceGivenTo),
      .init(.assistanceGivenRecords),
      .init(.assistanceGivenRecordsTaken),
      .init(.assistanceGivenRefused),
      .init(.assistanceGivenUnanswered),
      .init(.assistanceGivenDatabaseAge),
      .init(.assistanceGivenUncertainty),
    ]
  }
}
