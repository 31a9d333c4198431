import BinnaclePosix
import Glibc

/// The control group of an app: all its processes, also those that have made sessions of their own.
///
/// The corresponding document is `Documentation/admin-guide/cgroup-v2.rst` of the kernel.
final class ControlGroup {
  let path: String
  /// The directory itself: another group may get the path later.
  let identity: FileIdentity
  private let events: FileDescriptor

  /// The content of `cgroup.events`.
  struct State: Equatable {
    /// Whether a process of the group lives.
    var isPopulated: Bool
    var isFrozen: Bool

    init(text: String) {
      let lines = text.split(separator: "\n")
      isPopulated = lines.contains("populated 1")
      isFrozen = lines.contains("frozen 1")
    }
  }

  /// Opens a group that exists.
  init(path: String) throws(SystemError) {
    self.path = path
    identity = try FileIdentity(ofFileAt: path)
    do throws(Errno) {
      events = try FileDescriptor.open(path + "/cgroup.events", O_RDONLY)
    } catch {
      throw SystemError(error, path + "/cgroup.events")
    }
  }

  /// The descriptor to poll for `changing`.
  var descriptor: Int32 { events.number }

  /// The state; reading it makes the descriptor wait for the next change.
  var state: State {
    lseek(events.number, 0, SEEK_SET)
    var text = [UInt8](repeating: 0, count: 256)
    let count = (try? events.read(into: &text)) ?? 0
    return State(text: String(decoding: text.prefix(count), as: UTF8.self))
  }

  func add(_ processID: Int32) throws(SystemError) { try write("\(processID)", to: "cgroup.procs") }

  func setFrozen(_ isFrozen: Bool) throws(SystemError) {
    try write(isFrozen ? "1" : "0", to: "cgroup.freeze")
  }

  /// Kills all processes, frozen ones too.
  ///
  /// Before Linux 5.14 each process is killed, until no new process is found.
  func kill() {
    do throws(SystemError) {
      try write("1", to: "cgroup.kill")
    } catch {
      let name = "/" + (path.split(separator: "/").last ?? "")
      ProcessSignal.send(SIGKILL) { number in
        ProcessStatus.controlGroup(of: number)?.hasSuffix(name) == true
      } among: {
        self.processIDs
      }
    }
  }

  /// Whether a process is in the group.
  func contains(_ processID: Int32) -> Bool { processIDs.contains(processID) }

  /// The path that /proc/PID/cgroup shows for a process of the group; nil if the process is not in the group.
  func name(shownFor processID: Int32) -> String? {
    let name = ProcessStatus.controlGroup(of: processID)
    let last = path.split(separator: "/").last ?? ""
    return name?.hasSuffix("/" + last) == true ? name : nil
  }

  /// Removes the group; a group with living processes stays.
  func remove() { rmdir(path) }

  private var processIDs: [Int32] {
    let text = (try? Files.read(path + "/cgroup.procs")) ?? []
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
  }

  private func write(_ text: String, to name: String) throws(SystemError) {
    let file = path + "/" + name
    do throws(Errno) {
      let opened = try FileDescriptor.open(file, O_WRONLY)
      try opened.writeAll(Array(text.utf8))
    } catch {
      throw SystemError(error, file)
    }
  }
}
