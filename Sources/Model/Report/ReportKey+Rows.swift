/// Keys of the rows of lists: `binnacle apps`, `grants` and `prompts`.
///
/// A row is a report of its own. A value that does not exist is absent.
extension ReportKey<String> {
  public static var rowID: Self {
    Self(
      "id",
      "the app: the identifier of its manifest, else user and program, such as `1000:/usr/bin/tracker`"
    )
  }
  public static var rowExecutable: Self { Self("executable", "path of the program") }
  public static var rowState: Self {
    Self("state", "`not_running`, `foreground` or `background`")
  }
  public static var rowAuthorization: Self {
    Self(
      "authorization", "`not_determined`, `restricted`, `denied`, `when_in_use` or `always`")
  }
  public static var rowAccuracy: Self {
    Self("accuracy", "`full`, or `reduced`: the app gets the center of a cell of 5 km")
  }
  public static var rowProcessIDs: Self {
    Self("process_ids", "processes of the app, separated by blanks")
  }
  public static var rowSince: Self { Self("since", "time of the answer or the request, UTC") }
  public static var rowBy: Self {
    Self(
      "by",
      "`button`, `console`, `command` or `profile`; `damage`: the last answer is lost, so the app is denied"
    )
  }
  public static var rowRequest: Self {
    Self("request", "the authorization that the app requests: `when_in_use`")
  }
  public static var rowText: Self {
    Self("text", "the sentence for the person")
  }
}

extension ReportKey<Int64> {
  public static var rowUserID: Self { Self("user_id", "user of the processes") }
  public static var rowSequences: Self { Self("sequences", "open sequences of live updates") }
}

extension ReportKey<Bool> {
  public static var rowIsInUse: Self {
    Self("in_use", "the app is in the foreground, or left it a short time ago")
  }
  public static var rowIsShown: Self {
    Self("shown", "the request is in front of the person now")
  }
}
