import BinnacleBasics
import Simulation
import Testing

extension ReceiverDesk {
  /// Whether a message arrived since the collected bytes were last removed.
  fileprivate func hears(_ message: OutputMessage) -> Bool {
    let name = "\(message)".uppercased()
    return message.isSentence
      ? sentences.contains { $0.dropFirst(2).hasPrefix(name) }
      : messages.contains { ($0.messageClass, $0.id) == message.address }
  }

  /// Sets a rate of 1 for every class and id by CFG-MSG; returns the acknowledged messages.
  fileprivate mutating func acknowledgedMessages() -> [[UInt8]] {
    var found: [[UInt8]] = []
    let classes: [UInt8] = [0x01, 0x02, 0x0A, 0x0B, 0x0D, 0x10, 0x21, 0x27, 0xF0, 0xF1]
    for messageClass in classes {
      for id: UInt8 in 0...0x6F {
        bytes.removeAll()
        send(0x06, 0x01, [messageClass, id, 1])
        // An epoch with all messages may precede the answer.
        var verdict: RecordedFrame?
        for _ in 0..<10 where verdict == nil {
          run(milliseconds: 30)
          verdict = messages.last { $0.messageClass == 0x05 && $0.payload == [0x06, 0x01] }
        }
        if verdict?.id == 1 { found.append([messageClass, id]) }
        #expect(verdict != nil, "\(messageClass) \(id)")
      }
    }
    return found
  }
}

/// A receiver at a speed at which every message fits, with all messages off.
private func quietDesk(_ generation: Generation) -> ReceiverDesk {
  var desk = ReceiverDesk(generation, path: .walk)
  desk.run(milliseconds: 3_000)
  desk.changeSpeed(to: 460_800)
  for message in generation.messages {
    #expect(desk.setRate(message, 0) == true, "\(message)")
  }
  desk.bytes.removeAll()
  desk.run(milliseconds: 3_000)
  #expect(desk.bytes.isEmpty)
  return desk
}

@Test(arguments: Generation.allCases)
func everyRateThatIsTakenIsKeptToAndEveryOtherIsRefused(_ generation: Generation) {
  var desk = quietDesk(generation)
  for message in OutputMessage.allCases {
    desk.bytes.removeAll()
    let isTaken = desk.setRate(message, 1)
    desk.run(milliseconds: 1_500)
    let isKnown = generation.messages.contains(message)
    #expect(isTaken == isKnown, "\(message)")
    #expect(desk.hears(message) == isKnown, "\(message)")
    if isKnown { _ = desk.setRate(message, 0) }
  }
}

@Test(arguments: [Generation.six, .seven, .m8])
func cfgMSGTakesNothingThatIsNotSent(_ generation: Generation) {
  var desk = quietDesk(generation)
  let known = generation.messages.map { [$0.address.messageClass, $0.address.id] }
  #expect(Set(desk.acknowledgedMessages()) == Set(known))
}

@Test(arguments: [Generation.m10, .m10SPG530])
func noKeyOfAnOutputIsKnownThatIsNotSent(_ generation: Generation) {
  var desk = quietDesk(generation)
  // All keys of CFG-MSGOUT, in pages.
  var keys: Set<UInt32> = []
  for page in 0..<8 {
    let answer = desk.answers(
      to: 0x06, 0x8B,
      [0, 0, UInt8(page * 64 & 0xFF), UInt8(page * 64 >> 8), 0xFF, 0xFF, 0x91, 0x20])
    guard let payload = answer.first?.payload, payload.count > 4 else { break }
    for start in stride(from: 4, to: payload.count, by: 5) {
      keys.insert((0..<4).reduce(0) { $0 | UInt32(payload[start + $1]) << UInt32(8 * $1) })
    }
  }
  // The keys of UART1, and the keys of I2C, which are one less.
  let known = Set(generation.messages.flatMap { [$0.key, $0.key - 1] })
  #expect(keys == known)
}

/// A rate of 2 sends a message in every second epoch.
@Test(arguments: Generation.allCases)
func aRateOfTwoSendsAMessageEverySecondEpoch(_ generation: Generation) {
  var desk = quietDesk(generation)
  #expect(desk.setRate(.navSTATUS, 2) == true)
  desk.bytes.removeAll()
  desk.run(milliseconds: 20_000)
  #expect((9...11).contains(desk.messages.count))
}

@Test func messagesThatRealFirmwareHasAndTheSimulationLacksAreRefused() {
  var m8 = ReceiverDesk(.m8)
  m8.run(milliseconds: 1_000)
  for message: [UInt8] in [
    // NAV-ODO, SBAS, ORB; MON-HW, VER, IO; TIM-TP; GBS, GNS; PUBX POSITION.
    [0x01, 0x09], [0x01, 0x32], [0x01, 0x34], [0x0A, 0x09], [0x0A, 0x04], [0x0A, 0x02],
    [0x0D, 0x01], [0xF0, 0x09], [0xF0, 0x0D], [0xF1, 0x00],
  ] {
    #expect(m8.isAcknowledged(0x06, 0x01, message + [1]) == false, "\(message)")
  }
  var m10 = ReceiverDesk(.m10SPG530)
  m10.run(milliseconds: 1_000)
  // NAV-SIG, MON-RF, MON-COMMS, MON-RXR.
  for key: UInt32 in [0x2091_0346, 0x2091_035A, 0x2091_0350, 0x2091_0188] {
    #expect(m10.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(key, [1])])) == false)
  }
}
