import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Testing

struct ServerConnectionMachineTests {
  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private func hello(_ versions: ClosedRange<UInt16> = 1...WireLimits.versionMax) -> [UInt8] {
    ClientMessage.hello(
      .init(versionMin: versions.lowerBound, versionMax: versions.upperBound, program: "p")
    ).encoded()
  }

  private func openMachine() -> ServerConnectionMachine {
    var machine = ServerConnectionMachine(acceptedAt: at(0), daemon: "d")
    _ = machine.packetArrived(hello(), at: at(0))
    return machine
  }

  /// The reason of a final refusal that is followed by a hang-up.
  private func reasonOfEnd(
    _ actions: [ServerConnectionMachine.Action]
  ) -> ServerMessage.RefusalKind? {
    guard actions.count == 2, actions[1] == .hangUp,
      case .reply(.refused(let refusal, isFinal: true)) = actions[0]
    else { return nil }
    #expect(!refusal.text.isEmpty)
    return refusal.kind
  }

  @Test func aGreetingIsWelcomed() {
    var machine = ServerConnectionMachine(acceptedAt: at(0), daemon: "d")
    #expect(machine.nextDeadline == at(5_000))
    #expect(
      machine.packetArrived(hello(1...4), at: at(1)) == [
        .reply(.welcome(version: 4, daemon: "d")), .event(.connected(program: "p", role: .app)),
      ])
    #expect(machine.isOpen)
    #expect(machine.nextDeadline == nil)
  }

  @Test func requestsBecomeEvents() {
    var machine = openMachine()
    let seven = SequenceID(number: 7)
    let cases: [(ClientMessage, ServerConnectionMachine.Request)] = [
      (.openUpdates(seven, .airborne), .opened(seven, .airborne)),
      (.closeUpdates(seven), .closed(seven)),
      (
        .openSession(SessionID(number: 1), .backgroundActivity),
        .sessionOpened(SessionID(number: 1), .backgroundActivity)
      ),
      (.closeSession(SessionID(number: 1)), .sessionClosed(SessionID(number: 1))),
      (.watchAuthorization, .authorizationWatched),
      (.watchButtons, .buttonsWatched),
      (.watchPhase, .phaseWatched),
      (
        .openReducedUpdates(SequenceID(number: 8), .fitness),
        .opened(SequenceID(number: 8), .fitness, .reduced)
      ),
      (
        .openSearch(SequenceID(number: 9), isReduced: false),
        .opened(SequenceID(number: 9), .default, .search)
      ),
      (
        .openSearch(SequenceID(number: 10), isReduced: true),
        .opened(SequenceID(number: 10), .default, [.search, .reduced])
      ),
      (.request(3, .status), .requested(3, .status)),
      (.request(4, .trace), .requested(4, .trace)),
      (.request(5, .setServices(isOn: false)), .requested(5, .setServices(isOn: false))),
      (.request(1, .openDefaults), .requested(1, .openDefaults)),
      (
        .request(2, .setDefaults(isLast: true, Samples.entries)),
        .requested(2, .setDefaults(isLast: true, Samples.entries))
      ),
      (.request(6, .state(.erase(.fix))), .requested(6, .state(.erase(.fix)))),
      (.request(7, .state(.writes)), .requested(7, .state(.writes))),
      (.request(8, .state(.accept)), .requested(8, .state(.accept))),
      (.request(9, .sky), .requested(9, .sky)),
    ]
    for (message, request) in cases {
      #expect(machine.packetArrived(message.encoded(), at: at(1)) == [.event(request)])
    }
  }

  @Test func aClientOfTheFirstVersionIsServedInThatVersion() {
    var machine = ServerConnectionMachine(acceptedAt: at(0), daemon: "d")
    #expect(
      machine.packetArrived(hello(1...1), at: at(1)) == [
        .reply(.welcome(version: 1, daemon: "d")), .event(.connected(program: "p", role: .app)),
      ])
    let request = ClientMessage.request(3, .status).encoded()
    #expect(machine.packetArrived(request, at: at(2)) == [.event(.requested(3, .status))])
    let later = ClientMessage.request(4, .setServices(isOn: true)).encoded()
    #expect(reasonOfEnd(machine.packetArrived(later, at: at(3))) == .messageUnexpected)
  }

  @Test func aClientWithoutACommonVersionIsRefusedWithAReason() {
    var machine = ServerConnectionMachine(acceptedAt: at(0), daemon: "d")
    let later = WireLimits.versionMax + 1
    #expect(
      reasonOfEnd(machine.packetArrived(hello(later...later), at: at(1))) == .versionUnsupported)
    #expect(machine.packetArrived(hello(), at: at(2)) == [])
  }

  @Test func aClientThatGreetsTooLateIsDroppedWithAReason() {
    var machine = ServerConnectionMachine(acceptedAt: at(0), daemon: "d")
    #expect(machine.deadlineReached(at: at(4_999)) == [])
    #expect(reasonOfEnd(machine.deadlineReached(at: at(5_000))) == .messageUnexpected)
    #expect(machine.nextDeadline == nil)
  }

  @Test func aRequestBeforeTheGreetingAndASecondGreetingAreDropped() {
    var early = ServerConnectionMachine(acceptedAt: at(0), daemon: "d")
    let request = ClientMessage.request(1, .status).encoded()
    #expect(reasonOfEnd(early.packetArrived(request, at: at(1))) == .messageUnexpected)
    var twice = openMachine()
    #expect(reasonOfEnd(twice.packetArrived(hello(), at: at(1))) == .messageUnexpected)
  }

  /// Whether it is open, closed or answered: a number that came before is not given again.
  @Test(arguments: [(7, 7), (7, 6), (0, 0), (UInt32.max, 1)] as [(UInt32, UInt32)])
  func aNumberThatIsNotHigherIsReportedAndDropped(first: UInt32, second: UInt32) {
    func sequence(_ number: UInt32) -> [UInt8] {
      ClientMessage.openUpdates(SequenceID(number: number), .default).encoded()
    }
    for isClosed in [false, true] {
      var machine = openMachine()
      #expect(machine.packetArrived(sequence(first), at: at(1)).count == 1)
      if isClosed {
        let closing = ClientMessage.closeUpdates(SequenceID(number: first)).encoded()
        #expect(machine.packetArrived(closing, at: at(1)).count == 1)
      }
      #expect(reasonOfEnd(machine.packetArrived(sequence(second), at: at(1))) == .messageUnexpected)
      #expect(!machine.isOpen)
    }
    // A request is answered once; all kinds of them count together.
    let repeated = [
      ClientMessage.request(second, .status), .request(second, .trace),
      .request(second, .setServices(isOn: false)),
    ]
    for message in repeated {
      var machine = openMachine()
      let request = ClientMessage.request(first, .status).encoded()
      #expect(machine.packetArrived(request, at: at(1)) == [.event(.requested(first, .status))])
      #expect(
        reasonOfEnd(machine.packetArrived(message.encoded(), at: at(1))) == .messageUnexpected)
    }
  }

  @Test func requestsAboutDefaultsAreNumberedApartAndUpwards() {
    var machine = openMachine()
    let status = ClientMessage.request(9, .status).encoded()
    #expect(machine.packetArrived(status, at: at(1)).count == 1)
    let opening = ClientMessage.request(3, .openDefaults).encoded()
    #expect(machine.packetArrived(opening, at: at(1)) == [.event(.requested(3, .openDefaults))])
    let set = ClientMessage.request(3, .setDefaults(isLast: true, [])).encoded()
    #expect(reasonOfEnd(machine.packetArrived(set, at: at(1))) == .messageUnexpected)
  }

  @Test func sequencesAndRequestsAreNumberedApart() {
    var machine = openMachine()
    for number in [UInt32(1), 2, 40] {
      let opening = ClientMessage.openUpdates(SequenceID(number: number), .default).encoded()
      let request = ClientMessage.request(number, .status).encoded()
      #expect(machine.packetArrived(opening, at: at(1)).count == 1)
      #expect(machine.packetArrived(request, at: at(1)) == [.event(.requested(number, .status))])
    }
    #expect(machine.isOpen)
  }

  @Test func garbageIsReportedAndDropped() {
    for packet: [UInt8] in [[], [9], [2, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]] {
      var machine = openMachine()
      #expect(reasonOfEnd(machine.packetArrived(packet, at: at(1))) == .messageMalformed)
      #expect(!machine.isOpen)
    }
  }

  @Test func aRequestThatIsTooLongIsReportedAndDropped() {
    var machine = openMachine()
    #expect(reasonOfEnd(machine.oversizePacketArrived(at: at(1))) == .messageTooLong)
    machine = openMachine()
    let packet = [UInt8](repeating: 0, count: 5_000)
    #expect(reasonOfEnd(machine.packetArrived(packet, at: at(1))) == .messageTooLong)
  }

  @Test func aFloodIsDropped() {
    var machine = openMachine()
    let request = ClientMessage.closeUpdates(SequenceID(number: 1)).encoded()
    for second in 1..<4 {
      for _ in 0..<ServerConnectionMachine.messagesPerSecondMax {
        #expect(machine.packetArrived(request, at: at(Int64(second) * 1_000)).count == 1)
      }
    }
    #expect(reasonOfEnd(machine.packetArrived(request, at: at(3_999))) == .messageUnexpected)
  }
}
