import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

@Suite struct UpdateTableTests {
  /// Trace 5 of the semantics of live updates.
  @Test func aColdStartIsReportedOnce() {
    var marbles = Marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("------------fff") == "-----u------fff")
  }

  /// Trace 6.
  @Test func aLostSkyIsReportedOnceAndEndedByTheNextFix() {
    var marbles = Marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ff---f-------ff--------") == "ff---f----u--ff----u---")
  }

  @Test func missedEpochsAreNotReportedBeforeTheirTime() {
    var marbles = Marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("f---f---f----f") == "f---f---f----uf")
  }

  @Test(arguments: [0, 1_000, 1_001])
  func aToolOfAnOperatorIsServed(user: UInt32) {
    var marbles = Marbles(user: user)
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ff") == "ff")
  }

  @Test(arguments: [0, 1, 1_000, 1_001, .max] as [UInt32])
  func anAppWithoutAuthorizationIsInformedOnceAndGetsNoFix(user: UInt32) {
    var marbles = Marbles(user: user, isOperator: false)
    #expect(marbles.open(1) == "i")
    #expect(marbles.play("ff-------------ff") == "-----------------")
    #expect(marbles.engine.updates.nextDeadline == nil)
    #expect(marbles.engine.demand == .idle)
  }

  @Test func aSecondSequenceGetsAFreshFixAtOnceAndAnOldOneNever() {
    var marbles = Marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("f-") == "f-")
    #expect(marbles.open(2) == "f")
    #expect(marbles.play("-", for: 2) == "-")
    #expect(marbles.open(3) == "")
    #expect(marbles.play("-----", for: 3) == "-----")
  }

  @Test func theUnavailabilityOfAnOpeningSequenceIsCountedFromItsOpening() {
    var marbles = Marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("-------") == "-----u-")
    #expect(marbles.open(2) == "")
    #expect(marbles.play("-------", for: 2) == "-----u-")
  }

  @Test func tenHertzIsThinnedToTheRateOfEachSequence() {
    var marbles = Marbles()
    marbles.step = .milliseconds(100)
    #expect(marbles.open(1) == "")
    #expect(marbles.open(2, .automotiveNavigation) == "")
    let strip = String(repeating: "f", count: 25)
    #expect(marbles.play(strip, for: 1) == "f---------f---------f----")
    #expect(marbles.play(strip, for: 2) == "f----f----f----f----f----")
  }

  @Test func aSlowGridFindsTheFullSecondFromAnywhere() {
    var marbles = Marbles()
    marbles.step = .milliseconds(100)
    marbles.now = .zero + .milliseconds(300)
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffffffffffffffffffff") == "f------f---------f------")
  }

  @Test func theGridForgivesTheReceiversClock() {
    var grid = RateGrid()
    var random = Random(seed: 5)
    for second in 0..<500 {
      let time =
        UTCTime(secondsSince1970: 1_790_000_000) + .seconds(Int64(second))
        + .microseconds(Int64(random.unit() * 8_000) - 24_000)
      let isAdmitted = grid.admits(time, rateHz: 1)
      #expect(isAdmitted)
    }
  }

  @Test func theBoardsRateIsEverySequencesRate() {
    var marbles = Marbles { $0.navigation.rateHz = 5 }
    marbles.step = .milliseconds(100)
    #expect(marbles.open(1) == "")
    #expect(marbles.play("fffffffffff") == "f-f-f-f-f-f")
    #expect(marbles.engine.demand.rateHz == 5)
  }

  @Test func theBoardsRateHasALimit() {
    var marbles = Marbles { $0.navigation.rateHz = 50 }
    #expect(marbles.open(1) == "")
    #expect(marbles.engine.demand.rateHz == 10)
  }

  @Test func equalUpdatesOfAClientGoTogether() {
    var marbles = Marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.open(2, .fitness) == "")
    var effects: [Effect] = []
    marbles.engine.updates.fixJudged(
      marbles.fix, for: marbles.engine.apps, at: .zero, into: &effects)
    #expect(
      effects == [
        .client(
          Marbles.client,
          .deliver([SequenceID(number: 1), SequenceID(number: 2)], Update(fix: marbles.fix)))
      ])
  }

  @Test func theLimitEndsTheSequenceThatIsTooMuch() {
    var marbles = Marbles { $0.clients.sequencesMax = 2 }
    #expect(marbles.open(1) == "")
    #expect(marbles.open(2) == "")
    var effects: [Effect] = []
    marbles.engine.open(
      SequenceID(number: 3), .default, of: Marbles.client, at: .zero, into: &effects)
    guard
      case .client(Marbles.client, .endUpdates(SequenceID(number: 3), let reason)) = effects.first
    else {
      Issue.record("it was not ended")
      return
    }
    #expect(reason.contains("2 sequences open (SequencesMax= of the board's profile)"))
    marbles.engine.close(SequenceID(number: 1), of: Marbles.client, at: marbles.now)
    #expect(marbles.open(4) == "")
    #expect(marbles.engine.updates.clients[0].sequences.count == 2)
  }

  @Test func mistakesOfAClientAreCountedAndHarmless() {
    var marbles = Marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.open(1) == "")
    #expect(marbles.engine.updates.ignoredCount == 1)
    marbles.engine.close(SequenceID(number: 9), of: Marbles.client, at: marbles.now)
    marbles.engine.close(SequenceID(number: 1), of: ClientID(number: 9), at: marbles.now)
    marbles.leave(ClientID(number: 9))
    #expect(marbles.play("f") == "f")
    marbles.leave()
    #expect(marbles.play("f") == "-")
  }

  @Test(arguments: [
    ([LiveConfiguration.default], Demand(rateHz: 1, model: .portable)),
    ([.fitness], Demand(rateHz: 1, model: .pedestrian)),
    ([.automotiveNavigation], Demand(rateHz: 2, model: .automotive)),
    ([.otherNavigation], Demand(rateHz: 1, model: .portable)),
    ([.airborne], Demand(rateHz: 2, model: .airborne2g)),
    ([.fitness, .fitness], Demand(rateHz: 1, model: .pedestrian)),
    ([.fitness, .automotiveNavigation], Demand(rateHz: 2, model: .portable)),
    ([.airborne, .fitness, .automotiveNavigation], Demand(rateHz: 2, model: .airborne2g)),
    ([.fitness, .automotiveNavigation, .airborne], Demand(rateHz: 2, model: .airborne2g)),
  ])
  func theJoinedDemandServesAllSequences(
    configurations: [LiveConfiguration], expected: Demand
  ) {
    var marbles = Marbles()
    for (index, configuration) in configurations.enumerated() {
      _ = marbles.open(UInt32(index), configuration)
    }
    #expect(marbles.engine.demand == expected)
  }
}
