import Testing

@testable import Simulation

@Suite struct FailureClassesTests {
  @Test func failuresThatDifferInNumbersAreOneClass() {
    var classes = FailureClasses()
    classes.add("57901 ms: 3 sequences are said to be outstanding, and 1 are", seed: 5)
    classes.add("62 ms: no fix for 60.5 s after the last fault", seed: 6)
    classes.add("62000 ms: 37 sequences are said to be outstanding, and 8 are", seed: 7)
    #expect(
      classes.lines == [
        "2 x # sequences are said to be outstanding, and # are: seed 5 7",
        "1 x no fix for # s after the last fault: seed 6",
      ])
    #expect(classes.count == 3)
  }

  @Test func aClassKeepsAFewSeedsAndCountsAll() {
    var classes = FailureClasses()
    for seed in UInt64(1)...100 { classes.add("1 ms: time went backwards", seed: seed) }
    #expect(classes.lines == ["100 x time went backwards: seed 1 2 3 4 5 6 7 8"])
  }

  @Test func theFieldsOfAFixMakeNoClassOfTheirOwn() {
    let fixes = ["speed: 0.1, course: -1.0, simulated: true)", "speed: 12.75, course: 3.0)"]
    let names = fixes.map {
      FailureClasses.name(
        of: "9 ms: a fix 10.4 s old: Fix(latitude: 47.2, longitude: 8.5, altitude: 403.9, "
          + "ellipsoidalAltitude: 451.4, \($0)")
    }
    #expect(names[0] == names[1])
    #expect(names[0].hasPrefix("a fix # s old: Fix("))
  }
}
