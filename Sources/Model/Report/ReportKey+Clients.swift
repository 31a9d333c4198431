/// Keys of the report: clients and apps.
extension ReportKey<String> {
  public static func clientApp(_ client: String) -> Self {
    Self(
      "clients.\(client).app",
      "app of the client: the identifier of its manifest, else user and program, such as "
        + "`1000:/usr/bin/tracker`")
  }
  public static func clientProgram(_ client: String) -> Self {
    Self("clients.\(client).program", "name that the client gave itself")
  }
  public static func sequenceStands(_ client: String, _ sequence: String) -> Self {
    Self("clients.\(client).sequence.\(sequence)", "configuration and state of a sequence")
  }
  public static func sequencePause(_ client: String, _ sequence: String) -> Self {
    Self(
      "clients.\(client).sequence.\(sequence).pause",
      "`moving`, `settling` (part of its dwell is filled) or `paused`; of served clients, 64 "
        + "sequences in all, while location services are on")
  }
  public static func activityApp(_ activity: String) -> Self {
    Self("activities.\(activity).app", "an app with a live activity; 16 are shown")
  }
  public static func activityText(_ activity: String) -> Self {
    Self("activities.\(activity).text", "text of the live activity")
  }
  public static func outstandingApp(_ app: String) -> Self {
    Self(
      "outstanding.\(app).app", "an app with outstanding updates, or with former ones; 32 are shown"
    )
  }
  public static func outstandingUpdates(_ app: String) -> Self {
    Self(
      "outstanding.\(app).updates",
      "its updates that have begun and not ended, such as `default 2, fitness 1`")
  }
  public static func outstandingNotTakenUp(_ app: String) -> Self {
    Self(
      "outstanding.\(app).not_taken_up",
      "the part that no process of the app holds; absent when there is none")
  }
  public static func outstandingWaits(_ app: String) -> Self {
    Self(
      "outstanding.\(app).waits",
      "how long this part waits for the app: seconds, or until the app starts")
  }
}

extension ReportKey<Int64> {
  public static var clientsCount: Self {
    Self("clients.count", "clients that have sent `hello`")
  }
  public static func clientUserID(_ client: String) -> Self {
    Self("clients.\(client).user_id", "user of the client, by the kernel")
  }
  public static func clientProcessID(_ client: String) -> Self {
    Self("clients.\(client).process_id", "process of the client, by the kernel")
  }
  public static func clientMessagesSent(_ client: String) -> Self {
    Self("clients.\(client).messages_sent", "messages to the client")
  }
  public static func clientMessagesWaiting(_ client: String) -> Self {
    Self("clients.\(client).messages_waiting", "messages in its outbox")
  }
  public static func clientFixesDropped(_ client: String) -> Self {
    Self("clients.\(client).fixes_dropped", "fixes that the client lost because it was slow")
  }
  public static var promptsOpen: Self {
    Self("prompts.open", "requests of apps that wait for a person's answer")
  }
  public static var grantsLost: Self {
    Self("grants.lost", "answers about apps that are lost or unreadable; their apps are denied")
  }
  public static var outstandingApps: Self {
    Self("outstanding.apps", "apps with updates that have begun and not ended, connected or not")
  }
  public static var outstandingSequences: Self {
    Self("outstanding.sequences", "sequences of these apps")
  }
  public static var outstandingRejoined: Self {
    Self("outstanding.rejoined", "sequences that apps took up again")
  }
  public static var outstandingLapsed: Self {
    Self("outstanding.lapsed", "sequences that lapsed")
  }
  public static var outstandingUnread: Self {
    Self("outstanding.unread", "unreadable records of outstanding updates")
  }
  public static func outstandingAppRejoined(_ app: String) -> Self {
    Self("outstanding.\(app).rejoined", "sequences that this app took up again")
  }
  public static func outstandingAppLapsed(_ app: String) -> Self {
    Self("outstanding.\(app).lapsed", "sequences of this app that lapsed")
  }
  public static var connectionsCount: Self {
    Self("connections.count", "open sockets, including sockets without `hello`")
  }
  public static var connectionsRefused: Self {
    Self(
      "connections.refused",
      "connections that a limit refused: no place is free, or the user connects too often")
  }
  public static var connectionsRequestsDelayed: Self {
    Self(
      "connections.requests_delayed", "costly requests that were answered later")
  }
  public static var connectionsDropped: Self {
    Self(
      "connections.dropped",
      "connections that the daemon ended: garbage, silence, floods or slow reading")
  }
  public static func doorReaders(_ door: DoorKind) -> Self {
    Self(
      "doors.\(door.name).readers",
      "programs that read \(door.contents) now; only with `[\(door.section)]`, as the other keys of the door"
    )
  }
  public static func doorRefused(_ door: DoorKind) -> Self {
    Self(
      "doors.\(door.name).refused",
      "connections beyond the 8 that may read or the 4 of one user, and connections of a user that connects too often"
    )
  }
  public static func doorEpochsDropped(_ door: DoorKind) -> Self {
    Self("doors.\(door.name).epochs_dropped", "epochs that slow readers lost")
  }
  public static var connectionsFixesDropped: Self {
    Self("connections.fixes_dropped", "fixes that slow clients lost, also disconnected clients")
  }
}

extension ReportKey<Double> {
  public static func sequencePauseTime(_ client: String, _ sequence: String) -> Self {
    Self("clients.\(client).sequence.\(sequence).pause_for_s", "time in this state")
  }
  public static func sequenceDwell(_ client: String, _ sequence: String) -> Self {
    Self("clients.\(client).sequence.\(sequence).dwell_s", "rest after which the updates pause")
  }
  public static func sequenceFilled(_ client: String, _ sequence: String) -> Self {
    Self("clients.\(client).sequence.\(sequence).filled_s", "filled part of this dwell")
  }
}

extension ReportKey<Bool> {
  public static func clientIsServed(_ client: String) -> Self {
    Self(
      "clients.\(client).is_served",
      "the client is a tool of an operator, or a person has allowed its app")
  }
  public static func outstandingIsKept(_ app: String) -> Self {
    Self("outstanding.\(app).is_kept", "all sequences of this app are on the disk")
  }
  public static func doorTerminalIsOpen(_ door: DoorKind) -> Self {
    Self("doors.\(door.name).terminal_is_open", "the terminal of the door is open")
  }
  public static func doorSocketIsOpen(_ door: DoorKind) -> Self {
    Self("doors.\(door.name).socket_is_open", "the socket of the door is open")
  }
}

extension ReportCatalog {
  static var clients: [Entry] {
    let common: [Entry] = [
      .init(.clientsCount),
      .init(.clientApp("N")),
      .init(.clientProgram("N")),
      .init(.clientUserID("N")),
      .init(.clientProcessID("N")),
      .init(.clientIsServed("N")),
      .init(.clientMessagesSent("N")),
      .init(.clientMessagesWaiting("N")),
      .init(.clientFixesDropped("N")),
      .init(.sequenceStands("N", "M")),
      .init(.sequencePause("N", "M")),
      .init(.sequencePauseTime("N", "M")),
      .init(.sequenceDwell("N", "M")),
      .init(.sequenceFilled("N", "M")),
      .init(.promptsOpen),
      .init(.grantsLost),
      .init(.activityApp("N")),
      .init(.activityText("N")),
      .init(.outstandingApps),
      .init(.outstandingSequences),
      .init(.outstandingRejoined),
      .init(.outstandingLapsed),
      .init(.outstandingUnread),
      .init(.outstandingApp("N")),
      .init(.outstandingUpdates("N")),
      .init(.outstandingNotTakenUp("N")),
      .init(.outstandingWaits("N")),
      .init(.outstandingIsKept("N")),
      .init(.outstandingAppRejoined("N")),
      .init(.outstandingAppLapsed("N")),
      .init(.connectionsCount),
      .init(.connectionsRefused),
      .init(.connectionsRequestsDelayed),
      .init(.connectionsDropped),
    ]
    return common + DoorKind.allCases.flatMap(entries(of:)) + [.init(.connectionsFixesDropped)]
  }

  private static func entries(of door: DoorKind) -> [Entry] {
    [
      .init(.doorReaders(door)),
      .init(.doorTerminalIsOpen(door)),
      .init(.doorSocketIsOpen(door)),
      .init(.doorRefused(door)),
      .init(.doorEpochsDropped(door)),
    ]
  }
}
