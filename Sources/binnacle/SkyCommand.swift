import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import Drawing

/// `binnacle sky`: the satellites in view.
extension Commands {
  func sky(isJSON: Bool, svg path: String?) throws(Errno) -> ExitStatus {
    switch try fetchSky(program: "binnacle sky") {
    case .failure(let absence):
      complain("sky: \(absence.reason)")
      return absence.status
    case .success(let sky):
      if let path { return Commands.save(SkyPicture(sky).figure.document, to: path) }
      return Output.print(isJSON ? SkyText(sky).json : SkyText(sky).table) ? .success : .failure
    }
  }

  func fetchSky(program: String) throws(Errno) -> Result<Sky, MissingAnswer> {
    try fetch(.sky, program: program, role: .operator) { action in
      if case .sky(let sky) = action { sky } else { nil }
    }
  }

  /// Writes a document to a file, or to standard output for `-`.
  static func save(_ document: String, to path: String) -> ExitStatus {
    save(Array(document.utf8), to: path)
  }

  /// Writes bytes to a file, which only its owner may read, or to standard output for `-`.
  static func save(_ document: [UInt8], to path: String) -> ExitStatus {
    guard let output = DocumentOutput(path) else { return .cannotCreate }
    output.write(document)
    return output.finish()
  }
}
