import BinnacleBasics
import Testing

/// A few inputs for each fuzz target; `make fuzz` looks for the others.
@Suite struct FuzzTargetTests {
  @Test(arguments: FuzzTarget.allCases)
  func aFuzzTargetAcceptsEmptyAndRandomInputs(target: FuzzTarget) {
    var random = Random(seed: 1)
    target.run([])
    for count in 1...200 {
      target.run((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }
}
