import Testing

@testable import UBX

/// Bursts of a multiplexer: GGA of a second and RMC of the second before.
extension SentenceOrderTests {
  /// A live solution, and the second of the burst that it comes with.
  private struct Found {
    var second: Int
    var solution: NavigationSolution

    /// The age of the position in its burst, in seconds.
    var delay: Int { second - (solution.utc?.calendar.second ?? 0) }
  }

  /// The solutions of six bursts, one a second.
  private static func solutionsOfBursts(_ burst: (Int) -> [String]) -> [Found] {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var found: [Found] = []
    for second in 1...6 {
      decoder.pauseNoticed()
      decoder.append(burst(second).flatMap(Samples.sentence))
      while let solution = decoder.nextSolution() {
        found.append(Found(second: second, solution: solution))
      }
    }
    return found
  }

  /// The VTG belongs to the RMC.
  @Test func rmcOfTheSecondBeforeIsNoPositionBehindGGA() {
    let found = Self.solutionsOfBursts { second -> [String] in
      let vtg = "GPVTG,90.00,T,,M,9.000,N,16.668,K,A"
      return [Epoch.gga(second), Epoch.gsa(second), Epoch.rmc(second - 1), vtg]
    }
    #expect(found.map(\.delay) == [1, 0, 0, 0, 0, 0])
    #expect(found.allSatisfy { $0.solution.groundSpeedMillimetersPerSecond == nil })
    #expect(found.map(\.solution.positionDOPE2) == [200, 400, 600, 800, 1_000, 1_200])
  }

  @Test func rmcOfTheSecondBeforeIsAPositionBehindAGGAWithoutAFix() {
    let found = Self.solutionsOfBursts { second -> [String] in
      let lost = Epoch.gga(second).replacing(",E,1,08,", with: ",E,0,00,")
      return [lost, Epoch.rmc(second - 1)]
    }
    #expect(found.contains { $0.solution.isFixOK })
  }

  /// The position waits for the speed.
  @Test func ggaBehindRMCOfTheSecondBeforeJoinsItsOwnRMC() {
    let found = Self.solutionsOfBursts { second -> [String] in
      [Epoch.rmc(second - 1), Epoch.gga(second)]
    }
    #expect(found.map(\.delay) == [1, 1, 1, 1, 1, 1])
    #expect(found.last?.solution.sentence == .gga)
    #expect(found.last?.solution.groundSpeedMillimetersPerSecond == 51)
  }

  @Test func aCorrectedDateInRMCOfTheSecondBeforeCounts() {
    let found = Self.solutionsOfBursts { second -> [String] in
      let rmc = Epoch.rmc(second - 1)
      let dated = second < 4 ? rmc.replacing("010626", with: "010126") : rmc
      return [Epoch.gga(second), dated]
    }
    let months = found.map { $0.solution.utc?.calendar.month }
    #expect(months == [1, 1, 1, 1, 6, 6, 6])
    // The date of the RMC with the new date is the only one that does not continue.
    let continued = found.map(\.solution.isDateContinued)
    #expect(continued == [true, true, true, true, false, true, true])
  }

  @Test func aClockThatIsSetBackBeginsAnEpoch() {
    let sentences = [5, 3, 4].flatMap { [Epoch.rmc($0), Epoch.gga($0)] }
    let solutions = Self.solutions(sentences, .whenPositioned)
    #expect(solutions.map { $0.utc?.calendar.second } == [5, 3, 4])
  }
}
