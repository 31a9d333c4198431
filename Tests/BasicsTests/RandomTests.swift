import BinnacleBasics
import Testing

@Suite struct RandomTests {
  /// The first numbers of SplitMix64 for seed 1234567, as its authors publish them
  /// (https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64).
  @Test func theNumbersAreThoseOfTheirAuthors() {
    var random = Random(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func aNormalNumberHasMeanZeroAndDeviationOne() {
    var random = Random(seed: 1)
    let numbers = (0..<100_000).map { _ in random.normal() }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
    #expect(abs(mean) < 0.02)
    #expect(abs(variance - 1) < 0.02)
  }
}
