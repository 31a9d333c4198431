import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import Launcher

StandardStreams.open()
run().exit()

func run() -> ExitStatus {
  do {
    let arguments = try LauncherArguments(Arguments.wordsOfProcess())
    switch arguments.order {
    case .help: print(LauncherArguments.table.help)
    case .completion(let shell): print(LauncherArguments.table.completion(for: shell))
    case .version: print("binnacle-launch \(Release.version)")
    case .run: return try serve(arguments)
    }
    return .success
  } catch let error as Arguments.UsageError {
    complain("\(error); 'binnacle-launch --help' lists the options")
    return .usage
  } catch {
    complain("\(error)")
    return .internalError
  }
}

func serve(_ arguments: LauncherArguments) throws(Errno) -> ExitStatus {
  let directory = RuntimeDirectory.ofDaemon(
    option: arguments.runtimeDirectory, userID: Environment.userID)
  let path = directory + "/" + RuntimeDirectory.launcherSocketName
  let server: LaunchServer
  do throws(SystemError) {
    // The socket's lock comes first, so that two launchers never have the same apps.
    let socket = try LaunchServer.listen(at: path)
    let apps = try LaunchedApps(
      configurationDirectory: arguments.configurationDirectory, runtimeDirectory: directory,
      place: place(), complain: complain)
    server = LaunchServer(
      socket, userID: Environment.userID, apps: apps, complain: complain)
  } catch {
    complain(
      error.errno == .wouldBlock
        ? "\(path): another launcher listens there" : "\(error)")
    return error.errno == .wouldBlock ? .temporaryFailure : .cannotCreate
  }
  ServiceNotifier().ready(status: "listens at \(path)")
  // A launcher in a terminal ends with the terminal, except under nohup(1).
  try server.run(
    until: try Signals(
      [.interrupt, .terminate] + (Signals.isIgnored(.hangUp) ? [] : [.hangUp])))
  return .success
}

/// The group below which apps get control groups; nil if there is none.
func place() -> ControlGroupPlace? {
  do throws(ControlGroupPlace.Obstacle) {
    let place = try ControlGroupPlace()
    complain("apps get control groups below \(place.directory)")
    return place
  } catch {
    complain("apps are frozen and killed by signals: \(error)")
    return nil
  }
}

func complain(_ text: String) {
  let bytes = Array(("binnacle-launch: " + PlainText.line(text) + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
