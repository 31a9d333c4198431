import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The processes of apps over a restart of the daemon: their sessions, and their place in the background.
extension RightsModel {
  /// A process with a terminal that a person has left in the background.
  struct AwayProcess: Equatable, Sendable {
    let app: Int
    let processID: Int32
    /// When its last connection has ended; nil while it is connected.
    var leftAt: Instant?
  }

  /// The records of the disk about processes.
  struct ProcessRecords: Sendable {
    /// For each app, the processes that may take up a session that ends with its process, by number.
    var holders: [[Kind: [Int32]]] = []
    var away: [AwayProcess] = []
  }

  /// The sessions of an app that end with their process, each with its processes by number.
  func holders(of app: Int) -> [Kind: [Int32]] {
    var holders: [Kind: [Int32]] = [:]
    guard apps[app].manifest != nil else { return holders }
    for kind in Kind.allCases where kind.isOfProcess {
      var found: [Int32] = []
      if case .awaited(let processes, _) = apps[app][kind] {
        found = processes
      } else if apps[app].isHeld(kind) {
        found = processes.filter { process in
          process.app == app && process.processID > 0
            && process.objects.contains { Kind($0.session) == kind }
        }.map(\.processID)
      }
      if !found.isEmpty { holders[kind] = found.sorted() }
    }
    return holders
  }

  /// The records about processes among those of the disk.
  func processRecords(in records: RecordSet) -> ProcessRecords {
    let holders = apps.map { app in
      let name = app.id.recordKey.flatMap(RecordTable.processSessions.named)
      return RightsModel.holders(record: name.flatMap { records[$0] })
    }
    let away = records[RecordName(kind: RecordTable.away.number)]
    return ProcessRecords(holders: holders, away: RightsModel.away(record: away, index: index))
  }

  /// Takes the records about processes over at the daemon's start.
  mutating func recall(_ records: ProcessRecords, at now: Instant) {
    away = records.away.map { AwayProcess(app: $0.app, processID: $0.processID, leftAt: now) }
    for (app, holders) in zip(apps.indices, records.holders) {
      for kind in Kind.allCases {
        guard let processes = holders[kind] else { continue }
        apps[app][kind] = .awaited(processes: processes, until: now + window)
      }
    }
  }

  private func awayPlace(_ app: Int, _ processID: Int32) -> Int? {
    away.firstIndex { $0.app == app && $0.processID == processID }
  }

  /// A process has connected; returns whether it stays in the background although it has a terminal.
  mutating func staysAway(_ app: Int, _ processID: Int32) -> Bool {
    guard let place = awayPlace(app, processID) else { return false }
    away[place].leftAt = nil
    return true
  }

  /// A process has disconnected.
  mutating func processLeft(_ process: Process, at now: Instant) {
    let isElsewhere = processes.contains {
      $0.app == process.app && $0.processID == process.processID
    }
    guard !isElsewhere, let place = awayPlace(process.app, process.processID) else { return }
    away[place].leftAt = now
  }

  /// An order of a person has changed the foreground: the connected processes with a terminal stay where they are, and processes that
  /// have not connected again within `RejoinWindow` are gone.
  mutating func foregroundChanged(at now: Instant) {
    guard knowsProcesses else { return }
    away.removeAll { one in
      one.app == front || one.leftAt.map { now - $0 >= window } ?? true
    }
    for process in processes
    where process.hasTerminal && apps[process.app].manifest != nil && process.app != front
      && awayPlace(process.app, process.processID) == nil
    {
      away.append(AwayProcess(app: process.app, processID: process.processID))
    }
  }

  /// Reads a record of `SPEC-state.md`, "sessions of processes".
  static func holders(record: [UInt8]?) -> [Kind: [Int32]] {
    guard let record, record.first == 1 else { return [:] }
    var reader = ByteReader(record.dropFirst(37))
    var holders: [Kind: [Int32]] = [:]
    while let kind = reader.u8().flatMap(Kind.init(rawValue:)), let process = reader.i32() {
      holders[kind] = ((holders[kind] ?? []) + [process]).sorted()
    }
    return holders
  }

  /// Reads the record of `SPEC-state.md`, "sent to the background"; the closure finds the place of an app.
  private static func away(record: [UInt8]?, index: (AppID) -> Int?) -> [AwayProcess] {
    guard let record, record.first == 2 else { return [] }
    var reader = ByteReader(record.dropFirst(37))
    var away: [AwayProcess] = []
    while let process = reader.i32(), let size = reader.u8(), let key = reader.take(Int(size)) {
      guard let app = AppID(recordKey: key).flatMap(index) else { continue }
      away.append(AwayProcess(app: app, processID: process))
    }
    return away
  }
}
