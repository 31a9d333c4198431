import BinnacleModel
import BinnaclePosix
import Drawing

/// The output of `binnacle track` in one of its forms.
struct TrackSink {
  private enum Work {
    case rows(TrackPrinter)
    case export(TrackExport)
    case picture(TrackCollection)
  }

  private var work: Work
  private let output: DocumentOutput

  init(_ form: TrackCommand.Form, _ output: DocumentOutput) {
    self.output = output
    let creator = "binnacle \(Release.version)"
    work =
      switch form {
      case .lines: .rows(TrackPrinter(isJSON: false))
      case .json: .rows(TrackPrinter(isJSON: true))
      case .gpx: .export(TrackExport(.gpx, creator: creator))
      case .kml: .export(TrackExport(.kml, creator: creator))
      case .geoJSON: .export(TrackExport(.geoJSON, creator: creator))
      case .svg: .picture(TrackCollection())
      }
  }

  /// Begins the output; the marks come before the points.
  mutating func begin(marks: [TrackSample]) -> Bool {
    guard case .export(var export) = work else { return true }
    var isWritable = output.write(export.begin())
    for mark in marks where isWritable { isWritable = output.write(export.addMark(mark)) }
    work = .export(export)
    return isWritable
  }

  /// Takes a point or a mark; false if nothing more can be written.
  mutating func add(_ sample: TrackSample) -> Bool {
    switch work {
    case .rows(let printer): return output.write(printer.row(sample))
    case .export(var export):
      // The copy in `work` would be copied again when it is changed.
      work = .picture(TrackCollection())
      defer { work = .export(export) }
      return output.write(export.add(sample))
    case .picture(var collection):
      work = .rows(TrackPrinter(isJSON: false))
      defer { work = .picture(collection) }
      collection.add(sample)
      return true
    }
  }

  /// Shows what has come so far.
  func flush() -> Bool { output.flush() }

  mutating func end() -> ExitStatus {
    switch work {
    case .rows: break
    case .export(var export): output.write(export.end())
    case .picture(let collection): output.write(TrackPicture(collection).figure.document)
    }
    return output.finish()
  }
}
