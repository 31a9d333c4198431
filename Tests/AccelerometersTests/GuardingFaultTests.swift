import Accelerometers
import BinnacleBasics
import I2C
import Motion
import Simulation
import Testing

/// Samples that say nothing, while movement is looked for by bursts that come seldom.
@Suite struct GuardingFaultTests {
  private static let cases = ChipCase.all.filter { $0.hasFIFO && $0.noiseShows }

  enum Fault: CaseIterable {
    /// All axes keep their numbers.
    case frozen
    case saturated
    /// It makes no samples.
    case missing
  }

  /// How long the last samples of a burst do not show a fault yet.
  private static let unseen = Interval.milliseconds(300)

  /// A fault begins in every quarter of a burst's distance.
  ///
  /// A burst whose last samples look faulty is reported at once, and further bursts follow soon. A burst without
  /// samples is reported after a second without samples.
  @Test(arguments: cases, Fault.allCases) func aFaultIsReportedSoonAfterTheFirstBurstThatShowsIt(
    _ one: ChipCase, _ fault: Fault
  ) {
    var longest = Interval.zero
    var period = Interval.zero
    for phase in 0..<4 {
      var desk = ChipDesk(
        AccelerometerSettings(rangeG: 2, hasLine: false),
        SimulatedI2CBus(accelerometers: [one.chip]), mode: .armed)
      desk.run(.seconds(10) + .milliseconds(Int64(phase) * 300))
      if phase == 0 { period = distance(of: &desk) }
      let began = desk.now
      begin(fault, at: &desk)
      var heard = desk.told.count
      while desk.now - began < .seconds(10) {
        desk.run(.milliseconds(20))
        guard desk.told.count > heard else { continue }
        heard = desk.told.count
        if isNoticed(fault, by: desk) { break }
        if judged(desk).isSuspicious { desk.call { $0.modeWanted(.alert, at: $1, into: &$2) } }
      }
      longest = max(longest, desk.now - began)
    }
    #expect(longest <= (fault == .missing ? period * 2 : period + GuardingFaultTests.unseen))
  }

  /// How far bursts lie apart.
  private func distance(of desk: inout ChipDesk) -> Interval {
    let (before, began) = (desk.orderCount, desk.now)
    desk.run(.seconds(10))
    return (desk.now - began) / Int64(max(1, desk.orderCount - before - 1))
  }

  private func begin(_ fault: Fault, at desk: inout ChipDesk) {
    switch fault {
    case .frozen: desk.bus.accelerometers[0].masses.noiseG = 0
    case .saturated:
      desk.bus.accelerometers[0].masses.acceleration = Acceleration(x: 0, y: 0, z: 30)
    case .missing: desk.bus.accelerometers[0].masses.isDead = true
    }
  }

  /// Whether the reports so far show the fault.
  private func isNoticed(_ fault: Fault, by desk: ChipDesk) -> Bool {
    if fault == .missing { return desk.faults.contains(.silent) || trouble(of: desk) != nil }
    return trouble(of: desk) == (fault == .frozen ? .frozen : .saturated)
  }

  /// The detector's verdict on the newest samples.
  private func trouble(of desk: ChipDesk) -> AccelerometerTrouble? {
    if case .unusable(let trouble) = judged(desk).newest { return trouble }
    return nil
  }

  private func judged(_ desk: ChipDesk) -> (newest: AccelerometerReading, isSuspicious: Bool) {
    var window = MotionWindow()
    var newest = AccelerometerReading.unusable(.absent)
    for batch in desk.batches {
      for index in 0..<batch.count {
        let instant = batch.instant(of: index)
        while let reading = window.nextReading(before: instant) { newest = reading.accelerometer }
        let sample = batch[index]
        window.accelerationMeasured(
          x: sample.x, y: sample.y, z: sample.z, isSaturated: index < batch.saturatedCount,
          at: instant)
      }
    }
    return (newest, window.isSuspicious)
  }
}
