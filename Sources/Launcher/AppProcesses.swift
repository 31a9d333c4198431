import BinnaclePosix
import Glibc
import LaunchWire

/// All processes of an app.
enum AppProcesses {
  /// The processes of a control group, and the group's path as in /proc/PID/cgroup.
  case controlGroup(ControlGroup, name: String)
  /// The processes of the session of the app's first process, if they have the user of the app.
  case session(first: Int32, userID: UInt32)

  /// The processes as the daemon identifies them.
  var reported: LaunchReport.Group {
    switch self {
    case .controlGroup(_, let name): .controlGroup(name)
    case .session: .session
    }
  }

  /// Kills all processes.
  func kill() {
    switch self {
    case .controlGroup(let group, _): group.kill()
    case .session: signal(SIGKILL)
    }
  }

  /// Begins to stop all processes.
  ///
  /// - Returns: whether all are stopped; false if the control group reports it later.
  /// - Throws: the error of the system.
  func freeze() throws(SystemError) -> Bool {
    switch self {
    case .controlGroup(let group, _):
      try group.setFrozen(true)
      return group.state.isFrozen
    case .session:
      signal(SIGSTOP)
      return true
    }
  }

  /// Lets all processes continue.
  func thaw() throws(SystemError) {
    switch self {
    case .controlGroup(let group, _): try group.setFrozen(false)
    case .session: signal(SIGCONT)
    }
  }

  /// The control group, which reports its changes; nil for a session.
  var group: ControlGroup? {
    if case .controlGroup(let group, _) = self { return group }
    return nil
  }

  private func signal(_ number: Int32) {
    guard case .session(let first, let userID) = self else { return }
    ProcessSignal.send(number) { process in
      guard let status = try? ProcessStatus(of: process) else { return false }
      return status.sessionID == first && status.state != "Z"
        && ProcessStatus.userID(of: process) == userID
    } among: {
      ProcessStatus.allNumbers
    }
  }
}
