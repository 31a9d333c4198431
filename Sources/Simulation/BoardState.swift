import BinnacleBasics
import LocationEngine
import StateLog

/// The state log of a simulated board, on a disk whose power can be cut.
struct BoardState {
  private static let owner: UInt64 = 7
  private static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 64) ?? .ofFile

  private var log: StateLog<SimulatedDisk>?
  private var disk = SimulatedDisk(byteCount: BoardState.geometry.byteCount)

  /// Opens the log, as the log writer does.
  ///
  /// - Parameter allowsApp: whether a new log gets the grant of the app with a manifest.
  /// - Returns: the records of the log.
  mutating func open(allowsApp: Bool = false) -> StateReading {
    if let log { disk = log.file }
    let recovery = Recovery(
      of: &disk, owner: BoardState.owner, expecting: BoardState.geometry, mark: .unused,
      protecting: RecordTable.protecting)
    log = StateLog(continuing: recovery, on: disk)
    if log == nil {
      log = try? StateLog.create(
        on: disk, owner: BoardState.owner, geometry: BoardState.geometry)
      if allowsApp, let records = allowBackgroundApp() {
        return StateReading(records: records, geometry: BoardState.geometry)
      }
    }
    return StateReading(
      records: recovery.records, withheld: recovery.withheld, geometry: BoardState.geometry,
      obstacle: log == nil ? .init(.passing, "the simulated disk has no log") : nil)
  }

  /// A person has allowed the app of the manifest before the run; nil if the log did not keep that.
  private mutating func allowBackgroundApp() -> RecordSet? {
    let key = Array(OutstandingLedger.backgroundApp.utf8)
    let grant = Grant(.whenInUse, by: .command)
    guard let change = try? RecordTable.grant.change(key: key, to: grant.bytes),
      (try? log?.commit([change])) != nil
    else { return nil }
    var records = RecordSet()
    records.apply(change)
    return records
  }

  /// Plans the fault of a later call; nil plans no fault from now on.
  mutating func fail(after calls: Int?, _ damage: SimulatedDisk.Damage = .nothing) {
    guard let calls else {
      log?.file.expect(.nothing)
      return
    }
    log?.file.expect(
      .fail(SimulatedDisk.Failure(call: calls, fault: .inputOutput, damage: damage)))
  }

  /// Cuts the power and restores it.
  mutating func cutPower(seed: UInt64) {
    if let log { disk = log.file }
    log = nil
    var choices = Choices(seed: seed)
    disk.cutPower(&choices)
  }

  /// Ends the daemon; the board keeps running.
  ///
  /// Planned faults end with the killed daemon: a failed read would show the checkers fewer records than the disk
  /// holds.
  mutating func killDaemon() {
    if let log { disk = log.file }
    log = nil
    disk.expect(.nothing)
    disk.reopen()
  }

  /// Carries out an order for the track log, and returns the answer of its log writer.
  mutating func carryOut(_ order: TrackOrder) -> TrackNews {
    switch order {
    case .open:
      let reading = open()
      var news = TrackReading(reading.records, geometry: reading.geometry)
      news.obstacle = reading.obstacle
      return .opened(news)
    case .commit(let number, let changes):
      do throws(CommitFailure) {
        guard let receipt = try log?.commit(changes) else {
          return .commitFailed(number: number, .closed("the simulated disk has no log"))
        }
        return .committed(number: number, receipt)
      } catch {
        return .commitFailed(number: number, error)
      }
    case .erase(let number):
      log = nil
      disk = SimulatedDisk(byteCount: BoardState.geometry.byteCount)
      _ = open()
      return .erased(number: number, nil)
    }
  }

  /// Carries out a commit and returns the answer of the log writer.
  mutating func commit(_ number: UInt32, _ changes: [Change]) -> Event {
    do throws(CommitFailure) {
      guard let receipt = try log?.commit(changes) else {
        return .storage(.commitFailed(number, .closed("the simulated disk has no log")))
      }
      return .storage(.committed(number, receipt))
    } catch {
      return .storage(.commitFailed(number, error))
    }
  }
}
