/// The keys of each list, in the order of `Docs/SPEC-json.md`.
public enum RowCatalog {
  public static let apps: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowUserID), .init(.rowExecutable), .init(.rowProcessIDs),
    .init(.rowState), .init(.rowStateSince), .init(.rowIsInUse), .init(.rowAuthorization),
    .init(.rowAccuracy), .init(.rowHasBackgroundSession), .init(.rowServiceSessions),
    .init(.rowSequences), .init(.rowLiveActivity), .init(.rowIsManaged), .init(.rowLaunches),
    .init(.rowNextLaunchAt), .init(.rowReason), .init(.rowWaiting), .init(.rowDropped),
  ]
  public static let who: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowRole), .init(.rowRight), .init(.rowState), .init(.rowSince),
    .init(.rowUpdates),
  ]
  public static let audit: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowFrom), .init(.rowTo), .init(.rowRight), .init(.rowUpdates),
    .init(.rowIsLampVerified), .init(.rowIsInterrupted), .init(.rowConsoleRole),
    .init(.rowWrongPINs),
  ]
  public static let why: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowReceives), .init(.rowFlags), .init(.rowKey), .init(.rowHolds),
    .init(.rowText), .init(.rowChange),
  ]
  public static let grants: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowAuthorization), .init(.rowAccuracy), .init(.rowSince), .init(.rowBy),
  ]
  public static let prompts: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowRequest), .init(.rowText), .init(.rowSince), .init(.rowIsShown),
    .init(.rowIsOpen),
  ]
  public static let log: [ReportCatalog.Entry] = [
    .init(.rowLoggedAt), .init(.rowPriority), .init(.rowLogText),
  ]
  public static let settings: [ReportCatalog.Entry] = [
    .init(.rowSection), .init(.rowSetting), .init(.rowValue), .init(.rowOrigin), .init(.rowFile),
    .init(.rowFileLine),
  ]
  public static let day: [ReportCatalog.Entry] = [
    .init(.rowPart), .init(.rowID), .init(.rowBegan), .init(.rowAge), .init(.rowDayState),
    .init(.rowLeftOut),
  ]
  public static let output: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowAt), .init(.rowLine), .init(.rowLostLines),
  ]
}
