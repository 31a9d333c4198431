import BinnacleBasics
import Motion
import Simulation

/// A recording of any bytes is read, and the detector evaluates its rows; pieces make no difference.
func fuzzMotion(_ bytes: [UInt8]) {
  let whole = judge([bytes])
  let half = bytes.count / 2
  let pieces = judge([Array(bytes[..<half]), Array(bytes[half...])])
  precondition(whole == pieces, "a recording in two pieces is another one")
}

private struct Judged: Equatable {
  var items: [MotionSheet.Item] = []
  var verdicts: [Bool] = []
}

private func judge(_ pieces: [[UInt8]]) -> Judged {
  var sheet = MotionSheet(readsLabels: true)
  var judged = Judged()
  for piece in pieces { sheet.read(piece) { judged.items.append($0) } }
  sheet.finish { judged.items.append($0) }
  var replay = MotionReplay(settings: [
    MotionReplay.Setting(dwell: .seconds(1)),
    MotionReplay.Setting(profile: .quiet, dwell: .zero, witnesses: .receiver),
  ])
  for item in judged.items {
    guard case .row(let row) = item else { continue }
    replay.take(row) { judged.verdicts.append($0.verdict.isStationary) }
  }
  replay.finish { judged.verdicts.append($0.verdict.isStationary) }
  // A NaN is unequal to itself; the rest of the row is compared.
  judged.items = judged.items.map { item in
    guard case .row(var row) = item else { return item }
    if let sample = row.acceleration, !(sample.x + sample.y + sample.z).isFinite {
      row.acceleration = nil
    }
    if let speed = row.speed, !speed.isFinite { row.speed = nil }
    return .row(row)
  }
  return judged
}
