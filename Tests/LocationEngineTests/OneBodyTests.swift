import Accelerometers
import BinnacleBasics
import BinnacleModel
import Simulation
import Testing

@testable import LocationEngine

/// The engine on a simulated body: what the chip feels and where the receiver is come from the same journey.
@Suite struct OneBodyTests {
  private struct Passenger {
    var desk: EngineDesk
    var felt: FeltMotion
    private var random = Random(seed: 11)
    private let hertz: Int64

    init(
      _ path: Simulation.Body.Path, seed: UInt64, visibility: Double = 1,
      dwell: Interval = .seconds(60), hertz: Int64 = 10
    ) {
      self.hertz = hertz
      desk = EngineDesk(
        seed: seed, path: path, skies: [World.Sky(start: .zero, visibility: visibility)]
      ) {
        $0.hasAccelerometer = true
        $0.motion.dwells.default = dwell
      }
      felt = FeltMotion(body: Body(path: path), departure: .zero, seed: seed)
      desk.open()
    }

    /// Half seconds, with the chip's samples of them behind each.
    mutating func run(seconds: Int) {
      for _ in 0..<seconds * 2 {
        let first = desk.now
        desk.run(seconds: 0.5)
        let period = Interval(nanoseconds: 1_000_000_000 / hertz)
        var counts: [Int16] = []
        for index in 0..<hertz / 2 {
          let sample = felt.acceleration(at: first + period * index)
          for g in [sample.x, sample.y, sample.z] {
            counts.append(Int16((g * 1_000 + 0.7 * random.normal()).rounded()))
          }
        }
        desk.send(
          .accelerometer(
            .samples(
              AccelerationBatch(first: first, interval: period, gPerCount: 0.001, counts: counts))))
      }
    }

    var stationaryCount: Int { desk.updates.filter { $0.flags.contains(.stationary) }.count }

    /// The length of the path that an app computes from the first rest on, in meters.
    var metersSinceRest: Double {
      let since =
        desk.updates.firstIndex { $0.flags.contains(.stationary) } ?? desk.updates.endIndex
      let fixes = desk.updates[since...].compactMap(\.fix)
      return zip(fixes, fixes.dropFirst()).reduce(0) { sum, pair in
        let north = (pair.1.latitude - pair.0.latitude) * 111_195
        let east = (pair.1.longitude - pair.0.longitude) * 75_500
        return sum + (north * north + east * east).squareRoot()
      }
    }
  }

  /// Under an open sky, under half of one, and under one that gives a position with some 10 m.
  static let skies = [1.0, 0.5, 0.35]

  @Test(arguments: skies)
  func threeHoursAtRestAreOneStationaryUpdateAndNoPath(_ visibility: Double) {
    var board = Passenger(.still, seed: 3, visibility: visibility)
    board.run(seconds: 10_800)
    expectOneRest(of: board)
  }

  /// At 50 Hz: polled at 10 Hz without a low-pass, the ring of a thump at 10 Hz is an alias that looks like a push.
  @Test func anHourOfDeskLifeIsOneStationaryUpdateAndNoPath() {
    var board = Passenger(.desk, seed: 3, visibility: 0.5, hertz: 50)
    board.run(seconds: 3_600)
    expectOneRest(of: board)
  }

  private func expectOneRest(of board: Passenger) {
    #expect(board.stationaryCount == 1)
    #expect(board.metersSinceRest == 0)
    #expect(board.desk.updates.last?.flags.contains(.stationary) == true)
    #expect(board.desk.updates.count < 200)
  }

  /// Control: updates that do not pause drift by meters.
  @Test func withoutAPauseTheSameHourAddsUpToAPath() {
    var board = Passenger(.still, seed: 3, visibility: 0.35, dwell: .seconds(86_400))
    board.run(seconds: 1_800)
    let fixes = board.desk.updates.compactMap(\.fix)
    let meters = zip(fixes, fixes.dropFirst()).reduce(0) {
      $0 + abs($1.1.latitude - $1.0.latitude) * 111_195
    }
    #expect(board.stationaryCount == 0 && fixes.count > 1_000 && meters > 5, "\(meters) m")
  }

  /// Ten minutes of rest, so that its receiver sleeps when it is lifted.
  @Test(arguments: [UInt64](1...4))
  func aGentleLiftEndsTheRestWithinFiveSeconds(_ seed: UInt64) {
    var board = Passenger(.theft, seed: seed)
    board.run(seconds: 600)
    #expect(board.stationaryCount == 1)
    let count = board.desk.updates.count
    board.run(seconds: 5)
    #expect(board.desk.updates.count > count)
    #expect(board.desk.updates.dropFirst(count).first?.flags == [])
  }
}
