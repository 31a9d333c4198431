import BinnacleBasics
import BinnaclePosix
import BinnacleText
import Drawing
import LocationEngine

/// `binnacle track`: the stored track of the board, or the track of a recording, as rows, a document or a drawing.
struct TrackCommand: Equatable {
  enum Form: Equatable {
    case lines
    case json
    case gpx
    case kml
    case geoJSON
    case svg
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
  /// A recording in place of the stored track.
  var recording: String?
  /// Where the output goes.
  var output = DocumentOutput.standardOutput

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    let forms: [(option: String, form: Form)] = [
      ("json", .json), ("gpx", .gpx), ("kml", .kml), ("geojson", .geoJSON), ("svg", .svg),
    ]
    let chosen = forms.filter { arguments.has($0.option) || arguments.value($0.option) != nil }
    if chosen.count > 1 {
      throw .init("choose one of " + chosen.map { "--\($0.option)" }.joined(separator: " and "))
    }
    form = chosen.first?.form ?? .lines
    recording = arguments.positionals.first
    place = arguments.value("state")
    since = try TrackCommand.since(arguments, isRecording: recording != nil)
    if recording != nil, place != nil {
      throw .init("choose one of FILE and --state: a recording is not in the state of the daemon")
    }
    if let path = arguments.value("svg") { output = path }
    if let path = arguments.value("output") {
      if form == .svg { throw .init("--svg has its output: leave out --output") }
      output = path
    }
    try TrackCommand.refuseReplacing(recording, by: output)
  }

  /// Refuses an output that would take the place of the recording.
  static func refuseReplacing(
    _ recording: String?, by output: String
  ) throws(Arguments.UsageError) {
    guard let recording, recording == output, output != DocumentOutput.standardOutput else {
      return
    }
    throw .init("\(output): the output would take the place of the recording")
  }

  /// `--since` and `--last`.
  static func since(
    _ arguments: Arguments, isRecording: Bool
  ) throws(Arguments.UsageError) -> Since? {
    if arguments.value("since") != nil, arguments.value("last") != nil {
      throw .init("choose one of --since and --last")
    }
    var since: Since?
    if let text = arguments.value("since") {
      since = Since(text)
      if since == nil {
        throw .init(
          "option '--since': '\(text)' is neither a time such as 2026-11-21 or "
            + "2026-11-21T10:15:00Z nor an age such as 90min, 2h or 3d")
      }
    }
    if let text = arguments.value("last") {
      since = Since(text)
      guard case .ago = since else {
        throw .init("option '--last': '\(text)' is no duration such as 90min, 2h or 3d")
      }
    }
    if isRecording, case .ago = since {
      throw .init(
        "a recording has its own times: --since takes a time, and --last is for the stored track")
    }
    return since
  }

  func run(_ commands: Commands) throws(Errno) -> ExitStatus {
    if let recording { return runRecording(TrackRecording(path: recording, start: start)) }
    if let place { return runLog(place) }
    guard let folder = try commands.stateFolder(program: "binnacle track") else {
      return .interrupted
    }
    return runLog(TrackLog.path(in: folder))
  }

  private func runLog(_ place: String) -> ExitStatus {
    switch TrackLog.open(place, from: start) {
    case .failure(let failure): return failure.status
    case .success(let log):
      guard let output = DocumentOutput(output) else { return .cannotCreate }
      var sink = TrackSink(form, output)
      if sink.begin(marks: log.marks) { log.read { sink.add($0) } }
      return sink.end()
    }
  }

  private func runRecording(_ recording: TrackRecording) -> ExitStatus {
    if form != .lines, form != .json, recording.path != DecodeCommand.standardInput,
      !Files.exists(recording.path)
    {
      complain("\(recording.path): there is no such recording; --output FILE names the output")
      return .inputMissing
    }
    guard let output = DocumentOutput(output) else { return .cannotCreate }
    var sink = TrackSink(form, output)
    guard sink.begin(marks: []) else { return .failure }
    let status = recording.read(flush: { output.flush() }, { sink.add($0) })
    // An unreadable input leaves no document.
    if status == .inputMissing || status == .failure { return status }
    let written = sink.end()
    return written == .success ? status : written
  }

  private var start: Int64? { TrackCommand.start(since) }

  /// The start of the range in milliseconds since 1970.
  static func start(_ since: Since?) -> Int64? {
    guard let time = since?.start else { return nil }
    return time.secondsSince1970 * 1_000 + Int64(time.nanoseconds) / 1_000_000
  }
}

extension TrackCommand.Since {
  private static let units: [(name: String, seconds: Int64)] = [
    ("min", 60), ("s", 1), ("h", 3_600), ("d", 86_400), ("days", 86_400), ("day", 86_400),
  ]

  /// The instant at which the range starts.
  var start: UTCTime {
    switch self {
    case .time(let named): named
    case .ago(let age): Clock.utc + (.zero - age)
    }
  }

  /// Reads a time of RFC 3339 (parts at the end may be missing, the time zone is then UTC) or an age.
  init?(_ text: String) {
    if let time = UTCTime(rfc3339: text) {
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
}
