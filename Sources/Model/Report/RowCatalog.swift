/// The keys of each list, in the order of `Docs/SPEC-json.md`.
public enum RowCatalog {
  public static let apps: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowUserID), .init(.rowExecutable), .init(.rowProcessIDs),
    .init(.rowState), .init(.rowIsInUse), .init(.rowAuthorization), .init(.rowAccuracy),
    .init(.rowSequences),
  ]
  public static let grants: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowAuthorization), .init(.rowAccuracy), .init(.rowSince), .init(.rowBy),
  ]
  public static let prompts: [ReportCatalog.Entry] = [
    .init(.rowID), .init(.rowRequest), .init(.rowText), .init(.rowSince), .init(.rowIsShown),
  ]
}
