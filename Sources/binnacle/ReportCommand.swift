import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import Diagnosis
import Drawing

/// `binnacle report`: one page about the board for a browser.
///
/// In place of an unavailable part the page has the reason, so that a page exists also without a daemon or a track. A
/// signal during a request ends the command without a page.
struct ReportCommand {
  private static let program = "binnacle report"

  private let path: String
  private let since: TrackCommand.Since?
  private let place: String?
  private let recording: String?
  /// Whether a helper may read the page without learning the position of the board.
  private let isWithoutCoordinates: Bool

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    guard let path = arguments.value("html") else {
      throw .init("report: --html OUT is missing: the file of the page, or - for standard output")
    }
    self.path = path
    recording = arguments.positionals.first
    place = arguments.value("state")
    isWithoutCoordinates = arguments.has("without-coordinates")
    try TrackCommand.refuseReplacing(recording, by: path)
    let since = try TrackCommand.since(arguments, isRecording: recording != nil)
    if isWithoutCoordinates, recording != nil || since != nil {
      throw .init(
        "report: --without-coordinates leaves the track out, so FILE, --last and --since have no use"
      )
    }
    self.since = recording == nil ? since ?? .ago(.seconds(86_400)) : since
  }

  func run(_ commands: Commands) throws(Errno) -> ExitStatus {
    let status = try commands.fetch(.status, program: ReportCommand.program) { action in
      if case .status(let report) = action { report } else { nil }
    }
    if case .failure(let absence) = status, absence.isInterrupted { return interrupted }
    var page = ReportPage(
      title: "Report of \(ReportCommand.boardName)", made: Clock.utc,
      creator: "binnacle \(Release.version)", hasCoordinates: !isWithoutCoordinates)
    if case .success(let report) = status {
      let problems = StatusScreen(report, ownProgram: ReportCommand.program).problems
      page.add("Problems", sentences: problems.isEmpty ? ["There are none."] : problems)
    }
    page.add("Doctor", sentences: findings(status, commands))
    if !isWithoutCoordinates { addTrack(status, to: &page) }
    switch try commands.fetchSky(program: ReportCommand.program) {
    case .failure(let absence) where absence.isInterrupted: return interrupted
    case .failure(let absence): page.add("Satellites", missing: absence.reason)
    case .success(let sky): add(sky, to: &page)
    }
    switch try commands.fetchDay(program: ReportCommand.program) {
    case .failure(let absence) where absence.isInterrupted: return interrupted
    case .failure(let absence): page.add("Day", missing: absence.reason)
    case .success(let day):
      page.add(
        "Day", wide: DayPicture(day).figure,
        narrow: DayPicture(day, width: TrackPicture.narrow).figure)
    }
    add(status, to: &page)
    switch try commands.fetchRows(
      .log(.info, isFollowed: false), program: ReportCommand.program)
    {
    case .failure(let absence) where absence.isInterrupted: return interrupted
    case .failure(let absence): page.add("Log", missing: absence.reason)
    case .success(let rows): page.add("Log", lines: rows.map { LogText.line($0) })
    }
    return Commands.save(page.document, to: path)
  }

  /// Reports the interruption of a request, which leaves an older page in place; returns the exit status.
  private var interrupted: ExitStatus {
    complain("report: interrupted")
    return .interrupted
  }

  // MARK: Parts of the page

  /// The findings of `binnacle doctor`; a device that only a question would reach is not asked.
  private func findings(
    _ status: Result<Report, MissingAnswer>, _ commands: Commands
  ) -> [String] {
    let daemon: Inquiry.DaemonAnswer =
      switch status {
      case .success(let report): .report(report)
      case .failure(let absence) where absence.status == .notPermitted: .refusal(absence.reason)
      case .failure(let absence) where absence.isQueueFull: .crowded(absence.reason)
      case .failure(let absence): .absence(absence.reason)
      }
    let inquiry = DoctorCommand.inquiry(daemon, runtimeDirectory: commands.runtimeDirectory)
    let findings = Examination(of: LiveMachine(), inquiry).findings
    return findings.isEmpty ? [DoctorCommand.nothingFound] : findings.map(FindingText.line)
  }

  /// Adds the satellites.
  ///
  /// The numbers and directions of satellites at a known time give the position to some hundred kilometers, so a page
  /// without coordinates has the signals alone.
  private func add(_ sky: Sky, to page: inout ReportPage) {
    guard isWithoutCoordinates else {
      return page.add(
        "Satellites", wide: SkyPicture(sky).figure,
        narrow: SkyPicture(sky, width: TrackPicture.narrow).figure)
    }
    page.add("Satellites", facts: SkyText(sky).signals)
  }

  private func add(_ status: Result<Report, MissingAnswer>, to page: inout ReportPage) {
    switch status {
    case .failure(let absence): page.add("Facts", missing: absence.reason)
    case .success(let report):
      page.add("Facts", facts: StatusScreen(report, ownProgram: ReportCommand.program).facts)
      let values = PowerText.shortened(report).items.map { item in
        (name: item.name, value: ReportText.value(item.value))
      }
      page.add("All values", facts: values, isFolded: true)
    }
  }

  /// The name of this machine.
  private static var boardName: String {
    let bytes = (try? Files.read("/proc/sys/kernel/hostname")) ?? []
    let name = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    return name.isEmpty ? "the board" : name
  }

  private func addTrack(_ status: Result<Report, MissingAnswer>, to page: inout ReportPage) {
    var track = TrackCollection()
    let start = TrackCommand.start(since)
    if let recording {
      let status = TrackRecording(path: recording, start: start).read(flush: { true }) {
        track.add($0)
        return true
      }
      guard status == .success || track.count > 0 else {
        return page.add("Track", missing: "The recording \(recording) has no track.")
      }
    } else {
      let place = place ?? TrackLog.path(in: Commands.stateFolder(by: status))
      guard case .success(let log) = TrackLog.open(place, from: start) else {
        return page.add(
          "Track",
          missing: "There is no stored track, or it cannot be read. Track=full in [Track] of the "
            + "board's profile begins one; tracks are for root and the daemon's own user.")
      }
      log.read {
        track.add($0)
        return true
      }
    }
    page.add(
      "Track", wide: TrackPicture(track).figure,
      narrow: TrackPicture(track, width: TrackPicture.narrow).figure)
  }
}
