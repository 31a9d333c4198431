import BinnacleBasics
import Testing

struct CountTextTests {
  @Test func oneHasTheSingular() {
    #expect(CountText.words(1, "line") == "1 line")
    #expect(CountText.words(Int64(1), "stretch", "stretches") == "1 stretch")
  }

  @Test(arguments: [0, 2, 11, 21]) func otherNumbersHaveThePlural(_ count: Int) {
    #expect(CountText.words(count, "line") == "\(count) lines")
    #expect(CountText.words(count, "line was", "lines were") == "\(count) lines were")
  }
}
