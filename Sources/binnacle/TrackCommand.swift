import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import LocationEngine
import StateLog

/// `binnacle track`: prints the stored track of the board.
///
/// The command reads the log directly, so no daemon is needed; root and the daemon's own user may read the log. The log
/// does not include points that the daemon has not written yet, of at most the last minute.
struct TrackCommand: Equatable {
  enum Form: Equatable {
    case lines
    case json
    case gpx
  }

  /// The start of the range.
  enum Since: Equatable {
    case time(UTCTime)
    /// This long before now.
    case ago(Interval)
  }

  var form = Form.lines
  var since: Since?
  /// `--state DIR`, or the path of a file.
  var place: String?

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    if arguments.has("json"), arguments.has("gpx") { throw .init("choose one of --json and --gpx") }
    form = arguments.has("json") ? .json : arguments.has("gpx") ? .gpx : .lines
    if let text = arguments.value("since") {
      guard let since = Since(text) else {
        throw .init(
          "option '--since': '\(text)' is neither a time such as 2026-11-21 or "
            + "2026-11-21T10:15:00Z nor an age such as 90min, 2h or 3d")
      }
      self.since = since
    }
    place = arguments.value("state")
  }

  func run() -> ExitStatus {
    let path = logPath
    var file: LogFile
    do throws(Errno) {
      file = try LogFile(path: path, isForReading: true)
    } catch {
      return refuse(path, error)
    }
    let recovery = recovery(of: &file)
    switch recovery.verdict {
    case .sound: break
    case .damaged:
      for loss in recovery.losses { complain("\(path): \(loss)") }
      complain("\(path): it is damaged, some of the track is missing")
    case .blank: break
    case .refused:
      complain("\(path): it is no log of tracks; 'binnacle state check \(path)' says what it is")
      return .dataDamaged
    }
    return show(recovery.records, path) ? .success : .failure
  }

  private var logPath: String {
    let directory = RuntimeDirectory.stateOfDaemon(option: place, userID: Environment.userID)
    if (try? Files.status(of: directory))?.kind == .directory { return directory + "/tracks.log" }
    return place ?? directory + "/tracks.log"
  }

  private func refuse(_ path: String, _ error: Errno) -> ExitStatus {
    switch error {
    case .accessDenied, .notPermitted:
      complain("\(path): \(error); tracks are for root and the daemon's own user")
      return .notPermitted
    case .noSuchFile:
      complain(
        "\(path): no track is kept; Track=full in [Track] of the board's profile begins one, "
          + "--state DIR says where the daemon keeps its state")
      return .inputMissing
    default:
      complain("\(path): \(error)")
      return .inputMissing
    }
  }

  /// Reads a log with the owner that the log itself has.
  private func recovery(of file: inout LogFile) -> Recovery {
    let own = Recovery(of: &file, owner: BoardNumber.read(), expecting: .ofTracks)
    guard case .refused(.foreign(let owner)) = own.verdict else { return own }
    return Recovery(of: &file, owner: owner, expecting: .ofTracks)
  }

  // MARK: Showing

  private func show(_ records: RecordSet, _ path: String) -> Bool {
    var stretches: [(number: UInt32, value: [UInt8])] = []
    for entry in records.entries where entry.name.kind == RecordTable.track.number {
      guard let number = TrackKey.number(entry.name.key) else { continue }
      stretches.append((number, entry.value))
    }
    stretches.sort { $0.number < $1.number }
    var printer = TrackPrinter(form)
    var unread = 0
    guard printer.begin() else { return false }
    let from = start
    let values = stretches.map(\.value).filter { value in
      guard let from, let head = TrackStretch.Head(value) else { return true }
      return head.lastMilliseconds >= from
    }
    if form == .gpx {
      for point in values.lazy.compactMap({ TrackStretch($0) }).flatMap(\.points)
      where point.isMark && point.timeMilliseconds >= from ?? .min {
        printer.addWaypoint(point)
      }
    }
    printer.beginTrack()
    for value in values {
      guard let stretch = TrackStretch(value) else {
        unread += 1
        continue
      }
      for point in stretch.points where point.timeMilliseconds >= from ?? .min {
        printer.add(point, of: stretch)
      }
      guard printer.flush() else { return false }
    }
    if unread > 0 {
      complain("\(path): \(unread) stretches cannot be read; a newer version may have written them")
    }
    return printer.end()
  }

  private var start: Int64? {
    let time: UTCTime
    switch since {
    case nil: return nil
    case .time(let named): time = named
    case .ago(let age): time = Clock.utc + (.zero - age)
    }
    return time.secondsSince1970 * 1_000 + Int64(time.nanoseconds) / 1_000_000
  }
}

extension TrackCommand.Since {
  private static let units: [(name: String, seconds: Int64)] = [
    ("min", 60), ("s", 1), ("h", 3_600), ("d", 86_400), ("days", 86_400), ("day", 86_400),
  ]

  /// Reads a time of RFC 3339 (parts at the end may be missing, the time zone is then UTC) or an age.
  init?(_ text: String) {
    if let time = TrackCommand.Since.time(of: text) {
      self = .time(time)
      return
    }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = String(text.dropFirst(digits.count).drop { $0 == " " })
    guard digits.count <= 6, let count = Int64(digits),
      let seconds = TrackCommand.Since.units.first(where: { $0.name == unit })?.seconds
    else { return nil }
    self = .ago(.seconds(min(count * seconds, 100 * 366 * 86_400)))
  }

  /// Accepts `2026-11-21`, `2026-11-21T10:15` and `2026-11-21T10:15:00`, also with a final `Z`.
  ///
  /// A blank may replace the `T`.
  private static func time(of text: String) -> UTCTime? {
    var bytes = Array(text.utf8)
    if bytes.last == UInt8(ascii: "Z"), bytes.count > 10 { bytes.removeLast() }
    let pattern = Array("0000-00-00T00:00:00".utf8)
    guard [10, 16, 19].contains(bytes.count) else { return nil }
    for (byte, sign) in zip(bytes, pattern) {
      switch sign {
      case UInt8(ascii: "0"): guard (48...57).contains(byte) else { return nil }
      case UInt8(ascii: "T"): guard byte == sign || byte == UInt8(ascii: " ") else { return nil }
      default: guard byte == sign else { return nil }
      }
    }
    func number(_ start: Int, _ count: Int) -> Int {
      guard start + count <= bytes.count else { return 0 }
      return bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1) - 48 }
    }
    return UTCTime(
      year: number(0, 4), month: number(5, 2), day: number(8, 2), hour: number(11, 2),
      minute: number(14, 2), second: number(17, 2))
  }
}
