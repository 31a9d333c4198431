import BinnaclePosix

/// The record of an app that runs, for a launcher that is started again.
///
/// One line for each value: name, blank, value. A process is identified by its number, the time of its start and the boot.
struct LaunchRecord: Equatable {
  var processID: Int32
  var startTicks: UInt64
  var bootID: String
  /// The user of the app.
  var userID: UInt32
  var isFrozen: Bool
  /// The control group; nil: the processes are those of a session.
  var group: Group?

  /// A control group: its directory and its path as in /proc/PID/cgroup.
  struct Group: Equatable {
    var directory: String
    var identity: FileIdentity
    var name: String
  }

  private static let title = "binnacle-launch 1"

  init(
    processID: Int32, startTicks: UInt64, bootID: String, userID: UInt32, isFrozen: Bool,
    group: Group?
  ) {
    self.processID = processID
    self.startTicks = startTicks
    self.bootID = bootID
    self.userID = userID
    self.isFrozen = isFrozen
    self.group = group
  }

  var text: String {
    var lines = [
      LaunchRecord.title, "process \(processID)", "start \(startTicks)", "boot \(bootID)",
      "user \(userID)", "frozen \(isFrozen ? "yes" : "no")",
    ]
    if let group {
      lines += [
        "directory \(group.directory)",
        "identity \(group.identity.device) \(group.identity.number)", "name \(group.name)",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// - Returns: nil if the text is no record.
  init?(text: String) {
    var lines = text.split(separator: "\n")[...]
    guard text.hasSuffix("\n"), lines.popFirst().map({ $0 == LaunchRecord.title }) == true else {
      return nil
    }
    func next(_ name: String) -> Substring? {
      guard let line = lines.popFirst(), line.hasPrefix(name + " ") else { return nil }
      return line.dropFirst(name.utf8.count + 1)
    }
    guard let process = next("process").flatMap({ Int32($0) }), process > 0,
      let start = next("start").flatMap({ UInt64($0) }), let boot = next("boot"), !boot.isEmpty,
      let user = next("user").flatMap({ UInt32($0) }), let frozen = next("frozen"),
      frozen == "yes" || frozen == "no"
    else { return nil }
    self.init(
      processID: process, startTicks: start, bootID: String(boot), userID: user,
      isFrozen: frozen == "yes", group: nil)
    if lines.isEmpty { return }
    guard let directory = next("directory"), directory.hasPrefix("/"),
      let identity = next("identity")?.split(separator: " "), identity.count == 2,
      let device = UInt64(identity[0]), let number = UInt64(identity[1]),
      let name = next("name"), name.hasPrefix("/"), lines.isEmpty
    else { return nil }
    group = Group(
      directory: String(directory), identity: FileIdentity(device: device, number: number),
      name: String(name))
  }
}
