/// Keys of the report: the daemon itself.
extension ReportKey<String> {
  public static var daemonVersion: Self {
    Self("daemon.version", "release of the daemon")
  }
  public static var libgpiodVersion: Self {
    Self("daemon.libgpiod", "version of libgpiod")
  }
}

extension ReportKey<Int64> {
  public static var daemonProcessID: Self {
    Self("daemon.process_id", "process of the daemon")
  }
  public static var daemonUserID: Self {
    Self("daemon.user_id", "user of the daemon")
  }
  public static var daemonTurns: Self {
    Self("daemon.turns", "turns of the daemon's loop, one for each wake-up")
  }
  public static var logLinesHeldBack: Self {
    Self("daemon.log_lines_held_back", "repeated log lines that were not written")
  }
  public static var logLinesLost: Self {
    Self("daemon.log_lines_lost", "log lines that standard error did not take")
  }
  public static var appsCount: Self {
    Self("apps.count", "apps with a valid manifest")
  }
  public static var appsMistakes: Self {
    Self("apps.mistakes", "mistakes in manifests at the start; the log lists them")
  }
  public static var reportItemsLeftOff: Self {
    Self("report.items_left_off", "items that did not fit into the report; absent when all fit")
  }
}

extension ReportKey<Double> {
  public static var daemonUptime: Self {
    Self("daemon.uptime_s", "time since the daemon's start")
  }
  public static var daemonProcessorTime: Self {
    Self("daemon.cpu_s", "processor time that the daemon has used")
  }
  public static var engineUptime: Self {
    Self("engine.uptime_s", "time since the engine's start")
  }
}

extension ReportKey<Bool> {
  public static var servicesOn: Self {
    Self("services.on", "location services are on for the whole board")
  }
}

extension ReportCatalog {
  static var daemon: [Entry] {
    [
      .init(.daemonVersion),
      .init(.daemonProcessID),
      .init(.daemonUserID),
      .init(.daemonUptime),
      .init(.daemonProcessorTime),
      .init(.daemonTurns),
      .init(.logLinesHeldBack),
      .init(.logLinesLost),
      .init(.libgpiodVersion),
      .init(.engineUptime),
      .init(.appsCount),
      .init(.appsMistakes),
      .init(.servicesOn),
      .init(.reportItemsLeftOff),
    ]
  }
}
