import BinnacleBasics
import LaunchWire

/// The processes of apps on a simulated board, as the kernel keeps them.
struct ProcessTable: Sendable {
  struct Process: Equatable, Sendable {
    let id: Int32
    /// The place of the app among the manifests.
    let app: Int
    /// The control group that the launcher has made; nil for a process that a person has started.
    let group: Int?
    var isFrozen = false
  }

  /// The end of a process, which the launcher and the daemon's socket notice.
  struct End: Equatable, Sendable {
    let process: Process
    let ending: LaunchReport.Ending
  }

  private(set) var processes: [Process] = []
  private var ends: [End] = []
  private var lastID: Int32 = 100
  private var lastGroup = 0

  func process(_ id: Int32) -> Process? { processes.first { $0.id == id } }

  func isPopulated(_ group: Int) -> Bool { processes.contains { $0.group == group } }

  /// Whether the launcher has started a process of the app that still runs.
  func isLaunched(_ app: Int) -> Bool { processes.contains { $0.app == app && $0.group != nil } }

  mutating func makeGroup() -> Int {
    lastGroup += 1
    return lastGroup
  }

  mutating func start(_ app: Int, in group: Int?) -> Int32 {
    lastID += 1
    processes.append(Process(id: lastID, app: app, group: group))
    return lastID
  }

  /// Freezes a group or the one process `only` of the group, or lets it continue.
  mutating func set(frozen isFrozen: Bool, _ group: Int, only: Int32? = nil) {
    for index in processes.indices
    where processes[index].group == group && (only ?? processes[index].id) == processes[index].id {
      processes[index].isFrozen = isFrozen
    }
  }

  /// A process ends.
  mutating func end(_ id: Int32, _ ending: LaunchReport.Ending) {
    guard let index = processes.firstIndex(where: { $0.id == id }) else { return }
    ends.append(End(process: processes.remove(at: index), ending: ending))
  }

  /// SIGKILL to all processes of a group, frozen or not.
  mutating func kill(_ group: Int) {
    for process in processes where process.group == group {
      end(process.id, .killed(signal: 9))
    }
  }

  /// The power is cut: no process ends, all are gone.
  mutating func removeAll() {
    processes = []
    ends = []
  }

  mutating func takeEnds() -> [End] {
    defer { ends = [] }
    return ends
  }
}
