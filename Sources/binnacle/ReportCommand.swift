import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import Drawing

/// `binnacle report`: one page about the board for a browser.
///
/// A part that cannot be had is in the page with the reason, so that a page exists also without a daemon or a track.
struct ReportCommand {
  private let path: String
  private let since: TrackCommand.Since?
  private let place: String?
  private let recording: String?

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    guard let path = arguments.value("html") else {
      throw .init("report: --html OUT is missing: the file of the page, or - for standard output")
    }
    self.path = path
    recording = arguments.positionals.first
    place = arguments.value("state")
    try TrackCommand.refuseReplacing(recording, by: path)
    let since = try TrackCommand.since(arguments, isRecording: recording != nil)
    self.since = recording == nil ? since ?? .ago(.seconds(86_400)) : since
  }

  func run(_ commands: Commands) throws(Errno) -> ExitStatus {
    let program = "binnacle report"
    let status = try commands.fetch(.status, program: program) { action in
      if case .status(let report) = action { report } else { nil }
    }
    let now = Clock.utc
    var page = ReportPage(
      title: "Report of \(ReportCommand.boardName)", made: now,
      creator: "binnacle \(Release.version)")
    if case .success(let report) = status {
      let problems = StatusScreen(report, ownProgram: program).problems
      page.add("Problems", sentences: problems.isEmpty ? ["There are none."] : problems)
    }
    addTrack(to: &page)
    switch try commands.fetchSky(program: program) {
    case .failure(let absence): page.add("Satellites", missing: absence.reason)
    case .success(let sky):
      page.add(
        "Satellites", wide: SkyPicture(sky).figure,
        narrow: SkyPicture(sky, width: TrackPicture.narrow).figure)
    }
    switch try commands.fetchDay(program: program) {
    case .failure(let absence): page.add("Day", missing: absence.reason)
    case .success(let day):
      page.add(
        "Day", wide: DayPicture(day).figure,
        narrow: DayPicture(day, width: TrackPicture.narrow).figure)
    }
    switch status {
    case .failure(let absence): page.add("Facts", missing: absence.reason)
    case .success(let report):
      page.add("Facts", facts: StatusScreen(report, ownProgram: program).facts)
      let values = PowerText.shortened(report).items.map { item in
        (name: item.name, value: ReportText.value(item.value))
      }
      page.add("All values", facts: values, isFolded: true)
    }
    return Commands.save(page.document, to: path)
  }

  /// The name of this machine.
  private static var boardName: String {
    let bytes = (try? Files.read("/proc/sys/kernel/hostname")) ?? []
    let name = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    return name.isEmpty ? "the board" : name
  }

  private func addTrack(to page: inout ReportPage) {
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
