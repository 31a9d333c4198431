import BinnacleBasics
import Testing

struct SpellingTests {
  private let words = ["Device", "Speed", "Rate", "RateMax", "UnavailableAfter"]

  @Test(arguments: [
    ("Speeed", "Speed"), ("speed", "Speed"), ("Spede", "Speed"), ("Devise", "Device"),
    ("UnavailableAftr", "UnavailableAfter"), ("RateMx", "RateMax"), ("Rte", "Rate"),
  ])
  func theWordThatWasMeantIsFound(typed: String, meant: String) {
    #expect(Spelling.nearest(to: typed, among: words) == meant)
  }

  @Test(arguments: ["", "Q", "Altitude", "x"])
  func aWordUnlikeAllKnownWordsHasNoSuggestion(typed: String) {
    #expect(Spelling.nearest(to: typed, among: words) == nil)
  }

  @Test func longWordsAreTruncated() {
    let long = String(repeating: "Speed", count: 100_000)
    #expect(Spelling.nearest(to: long, among: words) == nil)
    #expect(Spelling.nearest(to: "", among: []) == nil)
  }
}
