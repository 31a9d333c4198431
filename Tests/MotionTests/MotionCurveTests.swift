import BinnacleBasics
import Testing

@testable import Simulation

/// A patient profile trades delay for fewer false alarms.
struct MotionCurveTests {
  private struct Line {
    var hops: Int
    var falseResumesPerHour: Double
    var resumeSeconds: Double
  }

  /// A line of the table; nil for those of another dwell and other witnesses.
  private static func line(_ text: Substring) throws -> Line? {
    let fields = text.split(separator: ",")
    guard fields[1] == "5", fields[2] == "accelerometer" else { return nil }
    let hops = try #require(Int(fields[3]))
    let falseResumes = try #require(Double(fields[4]))
    let resume = try #require(Double(fields[6]))
    return Line(
      hops: hops, falseResumesPerHour: falseResumes,
      resumeSeconds: resume)
  }

  /// Five stops at which a person shakes the board for a second, and drives between them.
  private func board() -> MotionTrial {
    var trial = MotionTrial(name: "shaker__1", settings: MotionCurve.settings)
    var shaker = Shaker()
    func perform(_ act: Shaker.Act, _ label: Int, seconds length: Double) {
      let start = shaker.seconds
      while shaker.seconds < start + length {
        let sample = shaker.sample(act, since: start)
        trial.take(
          MotionRow(
            line: 0, instant: shaker.now, acceleration: sample, speed: nil, label: label))
      }
    }
    for _ in 0..<5 {
      perform(.rest, 0, seconds: 40)
      perform(.road, 0, seconds: 1)
      perform(.rest, 0, seconds: 40)
      perform(.road, 1, seconds: 30)
    }
    return trial
  }

  @Test func aPatientProfileEndsARestLaterAndLessOftenForNothing() throws {
    var trial = board()
    var curve = MotionCurve()
    curve.add(trial.finish())
    let table = curve.text.split(separator: "\n")
    #expect(table.count == 1 + MotionCurve.settings.count)
    #expect(table[0].hasPrefix("set,dwell_s,witnesses,active_hops,false_resumes_per_h"))
    let lines = try table.dropFirst().compactMap(MotionCurveTests.line)
    #expect(lines.map(\.hops) == Array(1...8))
    let falseResumes = lines.map(\.falseResumesPerHour)
    #expect(falseResumes == falseResumes.sorted(by: >))
    #expect(falseResumes[0] > 20 && falseResumes[7] == 0)
    let delays = lines.map(\.resumeSeconds)
    #expect(delays == delays.sorted() && delays[7] - delays[0] >= 1.5)
  }
}
