import Testing

@testable import UBX

/// One time of day is one epoch, whatever talkers say it and in whatever order.
@Suite struct SentenceOrderTests {
  static func solutions(
    _ sentences: [String], _ publication: StreamDecoder.Publication = .whenEnded
  ) -> [NavigationSolution] {
    Samples.solutions(sentences.map(Samples.sentence), publication)
  }

  // MARK: Positions

  @Test func ofRMCAndGGAThatDifferTheOneOfGGACounts() throws {
    let solutions = SolutionTests.solutions(try Receivers.bytes("rmc-and-gga-apart.nmea"))
    #expect(solutions.count == 1)
    #expect(solutions.first?.sentence == .gga)
    // 52 degrees 51.0085 minutes.
    #expect(solutions.first?.position?.latitudeE7 == 528_501_417)
    #expect(solutions.first?.position?.longitudeE7 == 53_135_850)
    #expect(solutions.first?.isFixOK == true)
    #expect(solutions.first?.groundSpeedMillimetersPerSecond == 2_881)
  }

  @Test func theOrderOfRMCAndGGAMakesNoDifference() {
    let rmc = "GPRMC,094747,A,5251.0093,N,00518.8170,E,5.6,230.5,200818,1.4,E,A"
    let gga = "GPGGA,094747,5251.0085,N,00518.8151,E,1,12,0.60,-4,M,46.8,M,,"
    #expect(Self.solutions([rmc, gga]) == Self.solutions([gga, rmc]))
    #expect(Self.solutions([rmc, gga]).first?.position?.heightMSLMillimeters == -4_000)
  }

  @Test func aRepeatedPositionOfAFastCraftIsNoDispute() {
    // 250 m/s: RMC is a second behind.
    let rmc = "GPRMC,094747,A,8530.0000,N,00518.8170,E,486.0,0.0,200818,,,A"
    let gga = "GPGGA,094747,8530.1350,N,00518.8170,E,1,12,0.60,9000,M,46.8,M,,"
    #expect(Self.solutions([rmc, gga]).first?.position?.latitudeE7 == 855_022_500)
    let slow = rmc.replacing("486.0", with: "1.0")
    #expect(Self.solutions([slow, gga]).first?.position == nil)
  }

  @Test func aPositionWithoutAFixYieldsToOneWithAFix() {
    let lost = "GPGGA,120000,4700.0000,N,00800.0000,E,0,00,99.99,,M,,M,,"
    let found = "GLGGA,120000,4723.1234,N,00833.1234,E,1,06,1.50,400.0,M,47.0,M,,"
    for sentences in [[lost, found], [found, lost]] {
      let solution = Self.solutions(sentences).first
      #expect(solution?.position?.latitudeE7 == 473_853_900)
      #expect(solution?.isFixOK == true)
      #expect(solution?.horizontalDOPE2 == 150)
    }
  }

  // MARK: Talkers

  @Test func severalTalkersOfOneTimeAreOneEpoch() throws {
    let bytes = try Receivers.bytes("two-talkers.nmea")
    for publication in [StreamDecoder.Publication.whenEnded, .whenPositioned] {
      let solutions = SolutionTests.solutions(bytes, publication)
      #expect(solutions.map { $0.utc?.calendar.second } == [35, 36, 37])
      #expect(solutions.allSatisfy { $0.satelliteCount == 10 && $0.position != nil })
      #expect(solutions.allSatisfy { $0.isFixOK && $0.fixType == .threeDimensional })
    }
  }

  @Test func satellitesOfTalkersThatCountTheirOwnAreThoseOfTheirLists() {
    let gga = "GGA,120000.00,4723.1234,N,00833.1234,E,1,"
    let rest = ",1.00,400.0,M,47.0,M,,"
    let sentences = [
      "GP" + gga + "05" + rest, "GL" + gga + "03" + rest,
      "GPGSA,A,3,01,02,03,04,05,,,,,,,,2.00,1.00,1.00",
      "GLGSA,A,3,65,66,67,,,,,,,,,,2.00,1.00,1.00",
    ]
    #expect(Self.solutions(sentences).first?.satelliteCount == 8)
  }

  @Test func rmcOfAnotherTalkerIsNoSecondEpoch() {
    let rmc = "RMC,120000,A,4723.1234,N,00833.1234,E,1.0,90.0,010626,,,A"
    let void = "RMC,120000,V,,,,,,,010626,,,N"
    for sentences in [
      ["GP" + rmc, "GA" + rmc], ["GA" + void, "GP" + rmc], ["GP" + rmc, "GA" + void],
    ] {
      let solutions = Self.solutions(sentences)
      #expect(solutions.count == 1)
      #expect(solutions.first?.isFixOK == true)
      #expect(solutions.first?.position != nil)
    }
  }

  // MARK: GSA between two epochs

  /// An epoch whose GSA has HDOP `second` and PDOP twice that.
  enum Epoch {
    static func gsa(_ second: Int) -> String {
      "GPGSA,A,3,01,02,03,04,,,,,,,,,\(2 * second).00,\(second).00,1.00"
    }
    static func gga(_ second: Int) -> String {
      "GPGGA,12000\(second).00,4723.1234,N,00833.1234,E,1,08,\(second).00,400.0,M,47.0,M,,"
    }
    static func rmc(_ second: Int) -> String {
      "GPRMC,12000\(second).00,A,4723.1234,N,00833.1234,E,0.1,,010626,,,A"
    }
  }

  @Test func aStreamThatIsEnteredAtGSAIsRightFromItsSecondEpochOn() throws {
    let solutions = SolutionTests.solutions(try Receivers.bytes("starts-with-gsa.nmea"))
    #expect(solutions.count == 4)
    #expect(solutions.map(\.positionDOPE2).dropFirst() == [300, 400, 500])
    #expect(solutions.map(\.fixType).dropFirst().allSatisfy { $0 == .threeDimensional })
  }

  @Test func gsaBehindOrBeforeItsEpochJoinsIt() {
    for publication in [StreamDecoder.Publication.whenEnded, .whenPositioned] {
      let behind = (1...6).flatMap { [Epoch.rmc($0), Epoch.gga($0), Epoch.gsa($0)] }
      #expect(
        Self.solutions(behind, publication).map(\.positionDOPE2)
          == [200, 400, 600, 800, 1_000, 1_200])
      let before = (1...6).flatMap { [Epoch.gsa($0), Epoch.gga($0), Epoch.rmc($0)] }
      #expect(
        Self.solutions(before, publication).map(\.positionDOPE2)
          == [200, 400, 600, 800, 1_000, 1_200])
      let between = (1...6).flatMap { [Epoch.gga($0), Epoch.gsa($0), Epoch.rmc($0)] }
      #expect(
        Self.solutions(between.dropFirst() + [], publication).map(\.positionDOPE2)
          == [200, 400, 600, 800, 1_000, 1_200])
    }
  }

  /// Live: the bursts of a receiver that sends GSA first, entered in the middle of one; HDOP never changes.
  @Test(arguments: [true, false]) func thePauseBetweenBurstsDecidesTheEpochOfGSA(isBefore: Bool) {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var delays: [Int] = []
    for second in 1...8 {
      let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,\(second).50,1.00,1.00"
      let gga = Epoch.gga(second).replacing(",08,\(second).00,", with: ",08,1.00,")
      var burst = isBefore ? [gsa, gga, Epoch.rmc(second)] : [Epoch.rmc(second), gga, gsa]
      if second == 1 { burst.removeFirst() }
      if second > 1 { decoder.pauseNoticed() }
      decoder.append(burst.flatMap(Samples.sentence))
      while let solution = decoder.nextSolution() {
        let time = solution.utc?.calendar.second ?? 0
        delays.append(second - time)
        if time > 2 { #expect(solution.positionDOPE2 == UInt16(time * 100 + 50)) }
      }
    }
    #expect(delays.suffix(5) == [0, 0, 0, 0, 0])
  }

  /// Live: pauses before and behind GSA show no order by themselves, and with one HDOP nothing else does.
  @Test(arguments: [true, false]) func aLateGSADoesNotJoinTheNextEpoch(isHDOPConstant: Bool) {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var count = 0
    for second in 1...8 {
      var gga = Epoch.gga(second)
      if isHDOPConstant { gga = gga.replacing(",08,\(second).00,", with: ",08,1.00,") }
      let hdop = isHDOPConstant ? 1 : second
      let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,\(second).50,\(hdop).00,1.00"
      for burst in [[Epoch.rmc(second), gga], [gsa]] {
        decoder.append(burst.flatMap(Samples.sentence))
        decoder.pauseNoticed()
        while let solution = decoder.nextSolution() {
          count += 1
          let own = UInt16((solution.utc?.calendar.second ?? 0) * 100 + 50)
          #expect([nil, own].contains(solution.positionDOPE2))
        }
      }
    }
    #expect(count >= 7)
  }

  /// Live: a receiver pauses before each of its sentences, so its epochs end with GSA and not with a pause.
  @Test func aListBehindAPauseJoinsAnEpochThatIsStillOpen() {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var dilutions: [UInt16?] = []
    for second in 1...8 {
      let gga = Epoch.gga(second).replacing(",08,\(second).00,", with: ",08,1.00,")
      let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,\(second).50,1.00,1.00"
      for sentence in [Epoch.rmc(second), gga, gsa] {
        decoder.append(Samples.sentence(sentence))
        decoder.pauseNoticed()
        while let solution = decoder.nextSolution() { dilutions.append(solution.positionDOPE2) }
      }
    }
    #expect(dilutions.suffix(5) == [450, 550, 650, 750, 850])
  }

  @Test(arguments: [true, false])
  func aLiveStreamThatIsEnteredAtGSAIsRightFromItsSecondEpochOn(isHDOPConstant: Bool) {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var dilutions: [UInt16?] = []
    decoder.append(Samples.sentence("GPGSA,A,3,01,02,03,04,,,,,,,,,9.90,9.00,1.00"))
    for second in 1...6 {
      var gga = Epoch.gga(second)
      if isHDOPConstant { gga = gga.replacing(",08,\(second).00,", with: ",08,1.00,") }
      let hdop = isHDOPConstant ? 1 : second
      let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,\(second).50,\(hdop).00,1.00"
      decoder.append([Epoch.rmc(second), gga, gsa].flatMap(Samples.sentence))
      decoder.pauseNoticed()
      while let solution = decoder.nextSolution() { dilutions.append(solution.positionDOPE2) }
    }
    let first = dilutions.first ?? nil
    #expect([nil, 150, 990].contains(first))
    #expect(dilutions.dropFirst() == [250, 350, 450, 550, 650])
  }

  // MARK: Dates

  private static func gga(at time: String) -> String {
    "GPGGA,\(time),4723.1234,N,00833.1234,E,1,08,1.00,400.0,M,47.0,M,,"
  }

  /// Chart plotters send ZDA once in a while, and positions in GGA each second.
  @Test func aDateContinuesOverMidnightInLiveUse() {
    let sentences =
      ["GPZDA,235958.00,01,06,2026,00,00"]
      + ["235958.00", "235959.00", "000000.00", "000001.00", "001100.00", "001101.00"].map(Self.gga)
    func times(_ publication: StreamDecoder.Publication) -> [String?] {
      Self.solutions(sentences, publication).map { $0.utc?.rfc3339(fractionDigits: 0) }
    }
    #expect(
      times(.whenPositioned) == [
        "2026-06-01T23:59:58Z", "2026-06-01T23:59:59Z", "2026-06-02T00:00:00Z",
        "2026-06-02T00:00:01Z", nil, nil,
      ])
    #expect(times(.whenEnded) == ["2026-06-01T23:59:58Z", nil, nil, nil, nil, nil])
  }

  /// Nothing in a file tells then whether GSA ends an epoch or begins one; Docs/RECEIVERS.md says so.
  @Test func withOneHDOPAListThatComesFirstMayBeOfTheNextEpoch() {
    let sentences = (1...6).flatMap { second in
      [
        "GPGSA,A,3,01,02,03,04,,,,,,,,,\(second).50,1.00,1.00",
        Epoch.gga(second).replacing(",08,\(second).00,", with: ",08,1.00,"), Epoch.rmc(second),
      ]
    }
    let solutions = Self.solutions(sentences)
    #expect(solutions.map { $0.utc?.calendar.second } == [1, 2, 3, 4, 5, 6])
    #expect(solutions.allSatisfy { $0.position != nil && $0.horizontalDOPE2 == 100 })
    for (index, solution) in solutions.enumerated() {
      let own = UInt16(index * 100 + 150)
      // That of the last epoch is of the one before.
      #expect([own, index < 5 ? own + 100 : nil].contains(solution.positionDOPE2))
    }
  }

  /// The seconds at which solutions come: each second's sentences in one burst, or with a pause before its GGA.
  private static func secondsOfSolutions(
    pausesBeforeGGA: Bool, losing isLost: (_ second: Int, _ sentence: String) -> Bool
  ) -> [Int] {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var seconds: [Int] = []
    for second in 1...8 {
      for sentence in [Epoch.rmc(second), Epoch.gga(second), Epoch.gsa(second)] {
        let isGGA = sentence.hasPrefix("GPGGA")
        if sentence.hasPrefix("GPRMC") || (isGGA && pausesBeforeGGA) { decoder.pauseNoticed() }
        // The pause is noticed whether the sentence behind it is whole or not.
        if !isLost(second, sentence) { decoder.append(Samples.sentence(sentence)) }
        while let solution = decoder.nextSolution() {
          let hasHeight = solution.position?.heightMSLMillimeters != nil
          seconds.append((hasHeight ? 10 : 0) + second - (solution.utc?.calendar.second ?? 0))
        }
      }
    }
    return seconds
  }

  /// Without the pause it would wait for the next whole sentence, which may be seconds away on a damaged line.
  @Test func anEpochWhoseLastSentencesAreLostComesWithTheNextBurst() {
    let delays = Self.secondsOfSolutions(pausesBeforeGGA: false) { second, sentence in
      (second == 4 && sentence.hasPrefix("GPGSA")) || (5...6).contains(second)
    }
    // The solutions of seconds 1, 2, 3, 4, 7 and 8; the solution of second 4 comes with the burst of second 5.
    #expect(delays == [11, 10, 10, 11, 10, 10])
  }

  /// NAV-SOL of an epoch whose other messages are lost, as generation 6 sends them.
  @Test func aSolutionWhoseOtherMessagesAreLostComesWithTheNextBurst() throws {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var message = NavSOL()
    message.iTOWMilliseconds = 1_000
    (message.ecefXCentimeters, message.gpsFix) = (640_000_000, 3)
    decoder.append(message.frame)
    #expect(decoder.nextSolution() == nil)
    decoder.pauseNoticed()
    #expect(decoder.nextSolution()?.iTOWMilliseconds == 1_000)
    // Late sentences of the epoch add nothing, and the next pause ends no epoch.
    var velocity = NavVELNED()
    velocity.iTOWMilliseconds = 1_000
    decoder.append(velocity.frame)
    message.iTOWMilliseconds = 2_000
    decoder.append(message.frame)
    decoder.pauseNoticed()
    #expect(decoder.nextSolution() == nil)
    velocity.iTOWMilliseconds = 2_000
    decoder.append(velocity.frame)
    #expect(decoder.nextSolution()?.iTOWMilliseconds == 2_000)
  }

  @Test func aReceiverThatPausesWithinItsEpochsLosesNothingOfThem() {
    let delays = Self.secondsOfSolutions(pausesBeforeGGA: true) { _, _ in false }
    #expect(delays == [11, 10, 10, 10, 10, 10, 10, 10])
  }

  @Test(
    arguments: [
      ("GPRMC,120000.00,A", "120000.00"), ("GNGGA,120001,4723", "120001"), ("GPGGA,,,", nil),
      ("GPGLL,4723.1,N,00833.1,E,120002.00,A,A", "120002.00"),
      ("PUBX,00,120003.00,4723", "120003.00"),
      ("PUBX,03,20,2,-", nil), ("GPGSA,A,3,01", nil), ("GPGLL,4723.1", nil),
    ] as [(String, String?)])
  func theTimeOfASentenceIsReadWhereItStands(text: String, time: String?) {
    #expect(NMEASentence(text: text).timeField.map(String.init) == time)
  }

  /// Seed 3437923861: sentences were switched off in the middle of an epoch, and on again by a reset.
  @Test(arguments: [true, false]) func anEpochThatHasLapsedIsNotHandedOut(isLapsed: Bool) {
    var decoder = StreamDecoder(publication: .whenPositioned)
    var times: [Int] = []
    for second in 1...5 {
      // The fourth lacks what its predecessors had.
      decoder.append(Samples.sentence(Epoch.rmc(second)))
      if second != 4 { decoder.append(Samples.sentence(Epoch.gga(second))) }
      while let solution = decoder.nextSolution() {
        times.append(solution.utc?.calendar.second ?? 0)
      }
      if second == 4, isLapsed { decoder.sentencesLapsed() }
    }
    #expect(times == (isLapsed ? [1, 2, 3, 5] : [1, 2, 3, 4, 5]))
  }

  @Test func rowsOfGSAWithGSVBetweenThemAreOneEpoch() {
    let epochs = (1...3).flatMap { second in
      [
        Epoch.rmc(second), Epoch.gga(second), Epoch.gsa(second), "GPGSV,1,1,01,01,40,083,46",
        Epoch.gsa(second).replacing("GPGSA", with: "GLGSA"), "GLGSV,1,1,01,65,40,083,46",
      ]
    }
    #expect(Self.solutions(epochs).map(\.positionDOPE2) == [200, 400, 600])
  }

  @Test func repeatedSentencesAreOneEpoch() {
    let doubled = (1...3).flatMap { second in
      [Epoch.rmc(second), Epoch.rmc(second), Epoch.gga(second), Epoch.gga(second)]
    }
    #expect(Self.solutions(doubled).count == 3)
    #expect(Self.solutions(doubled, .whenPositioned).count == 3)
  }

  /// GLL ends the epochs of u-blox receivers behind all GSV: no position waits for it.
  @Test func noPositionWaitsForGLL() {
    let frames = (1...3).flatMap { second in
      [
        Epoch.rmc(second), Epoch.gga(second),
        "GPGLL,4723.1234,N,00833.1234,E,12000\(second).00,A,A",
      ].map(Samples.sentence)
    }
    #expect(Samples.story(frames, .whenPositioned) == "mmm" + "mNmNm" + "mmNm")
  }
}
