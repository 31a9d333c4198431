import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import Drawing
import LocationEngine
import StateLog

/// The stored track of the board, read from its log.
///
/// No daemon is needed; root and the daemon's own user may read the log. The log does not include points that the daemon
/// has not written yet, of at most the last minute.
struct TrackLog {
  private let path: String
  /// Values of stretches, in the order of their numbers.
  private let values: [[UInt8]]
  /// Milliseconds since 1970; earlier points are left out.
  private let start: Int64?

  /// Opens the log, and complains about what is wrong with it.
  ///
  /// - Parameters:
  ///   - place: a directory, or the path of a log.
  ///   - start: leaves out earlier points.
  /// - Returns: the log, or the exit status after a complaint.
  static func open(_ place: String, from start: Int64?) -> Result<TrackLog, KeptRecords.Failure> {
    let path = logPath(place)
    var file: LogFile
    do throws(Errno) {
      file = try LogFile(path: path, isForReading: true)
    } catch {
      return .failure(.init(status: refuse(path, error)))
    }
    let recovery = recovery(of: &file)
    switch recovery.verdict {
    case .sound, .blank: break
    case .damaged:
      for loss in recovery.losses { complain("\(path): \(loss)") }
      complain("\(path): it is damaged, some of the track is missing")
    case .refused:
      complain("\(path): it is no log of tracks; 'binnacle state check \(path)' says what it is")
      return .failure(.init(status: .dataDamaged))
    }
    return .success(TrackLog(path, recovery, from: start))
  }

  private init(_ path: String, _ recovery: Recovery, from start: Int64?) {
    self.path = path
    self.start = start
    var stretches: [(number: UInt32, value: [UInt8])] = []
    for entry in recovery.records.entries where entry.name.kind == RecordTable.track.number {
      guard let number = TrackKey.number(entry.name.key) else { continue }
      stretches.append((number, entry.value))
    }
    stretches.sort { $0.number < $1.number }
    values = stretches.map(\.value).filter { value in
      guard let start, let head = TrackStretch.Head(value) else { return true }
      return head.lastMilliseconds >= start
    }
  }

  /// The log in a folder of stored state.
  static func path(in folder: String) -> String { folder + "/tracks.log" }

  private static func logPath(_ place: String) -> String {
    (try? Files.status(of: place))?.kind == .directory ? path(in: place) : place
  }

  private static func refuse(_ path: String, _ error: Errno) -> ExitStatus {
    switch error {
    case .accessDenied, .notPermitted:
      complain("\(path): \(error); tracks are for root and the daemon's own user")
      return .notPermitted
    case .noSuchFile:
      complain(
        "\(path): no track is kept; Track=full in [Track] of the board's profile begins one, "
          + "--state DIR says where the daemon keeps its state")
      return .inputMissing
    case .isADirectory:
      complain("\(path): it is a directory, not a log of tracks")
      return .dataDamaged
    default:
      complain("\(path): \(StateCheck.advice(on: error))")
      return StateCheck.status(of: error)
    }
  }

  /// Reads a log with the owner that the log itself has.
  private static func recovery(of file: inout LogFile) -> Recovery {
    let own = Recovery(of: &file, owner: BoardNumber.read(), expecting: .ofTracks)
    guard case .refused(.foreign(let owner)) = own.verdict else { return own }
    return Recovery(of: &file, owner: owner, expecting: .ofTracks)
  }

  // MARK: Points

  /// The marked positions.
  var marks: [TrackSample] {
    values.lazy.compactMap { TrackStretch($0) }.flatMap(samples).filter(\.isMark)
  }

  /// Passes on all points and marks in their order; ends early if the body returns false.
  func read(_ body: (TrackSample) -> Bool) {
    var unread = 0
    for value in values {
      guard let stretch = TrackStretch(value) else {
        unread += 1
        continue
      }
      for sample in samples(of: stretch) where !body(sample) { return }
    }
    if unread > 0 {
      let stretches = CountText.words(unread, "stretch", "stretches")
      complain("\(path): \(stretches) cannot be read; a newer version may have written them")
    }
  }

  private func samples(of stretch: TrackStretch) -> [TrackSample] {
    stretch.points.filter { $0.timeMilliseconds >= start ?? .min }.map {
      TrackSample($0, periodMilliseconds: stretch.periodMilliseconds)
    }
  }
}

extension TrackSample {
  /// A stored point.
  fileprivate init(_ point: TrackPoint, periodMilliseconds: Int64) {
    self.init(
      timeMilliseconds: point.timeMilliseconds, latitudeE7: point.latitudeE7,
      longitudeE7: point.longitudeE7)
    accuracyCentimeters = point.horizontalAccuracyCentimeters
    if point.verticalAccuracyCentimeters >= 0 {
      altitudeCentimeters = point.altitudeCentimeters
      verticalAccuracyCentimeters = point.verticalAccuracyCentimeters
    }
    if point.speedCentimetersPerSecond >= 0 {
      speedCentimetersPerSecond = point.speedCentimetersPerSecond
    }
    if point.courseDecidegrees >= 0 { courseDecidegrees = point.courseDecidegrees }
    isMark = point.isMark
    self.periodMilliseconds = periodMilliseconds
  }
}
