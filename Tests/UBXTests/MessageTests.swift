import BinnacleBasics
import TestSupport
import Testing

@testable import UBX

/// Messages read and written: what is written is what was read.
@Suite struct MessageTests {
  /// The payload that a message writes; nil when it has no type of its own.
  static func payload(of message: Message) -> [UInt8]? {
    switch message {
    case .inf(let message): Array(message.text.utf8)
    case .poll(let poll): poll.selector
    case _: message.typed?.payload
    }
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: Recording.all)
  func everyRecordedMessageIsWrittenAsItWasRead(recording: Recording) throws {
    var parser = FrameParser()
    parser.append(try recording.bytes())
    parser.finish()
    var writtenCount = 0
    while let frame = parser.next() {
      guard case .ubx(let messageClass, let id) = frame.kind else { continue }
      let (message, payload) = parser.withPayload(of: frame) {
        (Message(frame.kind, $0), $0.array())
      }
      guard let written = Self.payload(of: message) else { continue }
      writtenCount += 1
      let again = Message(messageClass: messageClass, id: id, payload: written)
      #expect(again == message)
      #expect(written.count == payload.count)
      // Reserved bits are written as zeros; everything else is as it was.
      #expect(zip(written, payload).allSatisfy { $0 & $1 == $0 }, "\(message)")
    }
    #expect(writtenCount > 0 || recording.name.hasSuffix("-nmea.log"))
  }

  @Test func noLengthOfAnyMessageTraps() {
    var random = Random(seed: 2)
    for messageClass: UInt8 in [0x01, 0x02, 0x04, 0x05, 0x06, 0x0A, 0x13, 0x27] {
      for id in 0...UInt8.max {
        for length in Array(0...60) + [84, 91, 92, 93, 100, 200] {
          let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
          let message = Message(messageClass: messageClass, id: id, payload: payload)
          guard let written = Self.payload(of: message) else { continue }
          if case .inf = message { continue }
          #expect(Message(messageClass: messageClass, id: id, payload: written) == message)
        }
      }
    }
  }

  @Test func framesEqualTheExamplesOfTheDocuments() {
    #expect(Poll(MonVER.self).frame == [0xB5, 0x62, 0x0A, 0x04, 0, 0, 0x0E, 0x34])
    let rate = CfgRATE(measurementMilliseconds: 1_000)
    #expect(
      rate.frame == [0xB5, 0x62, 0x06, 0x08, 6, 0, 0xE8, 0x03, 1, 0, 1, 0, 0x01, 0x39])
  }

  @Test func monVERReportsVersionsOfEveryGeneration() {
    let m10 = MonVER(
      softwareVersion: "ROM SPG 5.10 (7b202e)", hardwareVersion: "000A0000",
      extensions: ["FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS", "MOD=SAM-M10Q"])
    #expect(m10.protocolVersion == ProtocolVersion(major: 34, minor: 10))
    #expect(m10.protocolVersion?.hasConfigurationKeys == true)
    #expect(m10.firmware == "SPG 5.10")
    #expect(m10.module == "SAM-M10Q")
    #expect(m10.generation == .m10)
    #expect(MonVER(payload: m10.payload) == m10)
    let m8 = MonVER(
      softwareVersion: "EXT CORE 3.01 (107900)", hardwareVersion: "00080000",
      extensions: ["ROM BASE 2.01 (75331)", "PROTVER 18.00"])
    #expect(m8.protocolVersion?.description == "18.00")
    #expect(m8.protocolVersion?.hasConfigurationKeys == false)
    #expect(m8.firmware == nil)
    let old = MonVER(softwareVersion: "7.03 (45969)", hardwareVersion: "00040007", extensions: [])
    #expect(old.protocolVersion == nil)
    #expect(old.generation == .u6)
    #expect(old.payload.count == 40)
  }

  @Test func protocolVersionsAreComparedAsNumbers() {
    let versions = ["9.0", "14.00", "23.01", "23.02", "27.31", "100.1"]
      .compactMap(ProtocolVersion.init(text:))
    #expect(versions == versions.sorted())
    #expect(versions.map(\.hasConfigurationKeys) == [false, false, false, true, true, true])
    #expect(ProtocolVersion(text: "none") == nil)
    #expect(ProtocolVersion(text: "") == nil)
    #expect(ProtocolVersion(text: "99999999999999999999.1")?.major == 9_999)
  }

  @Test func secSIGIsReadByItsVersion() {
    let first = SecSIG(payload: [1, 0, 0, 0, 0b101, 0, 0, 0, 0b0101, 0, 0, 0])
    #expect(first?.isJammingDetectionEnabled == true)
    #expect(first?.jamming == .warning)
    #expect(first?.isSpoofingDetectionEnabled == true)
    #expect(first?.spoofing == .indicated)
    let second = SecSIG(payload: [2, 0b0010_1011, 0, 1, 0x03, 0x04, 0x18, 0x01])
    #expect(second?.jamming == SecSIG.Jamming.none)
    #expect(second?.spoofing == .indicated)
    #expect(second?.frequencies == [.init(centerKilohertz: 1_573_891, isJammed: true)])
    #expect(SecSIG(payload: [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(SecSIG(payload: [2, 0, 0, 2, 0, 0, 0, 0]) == nil)
  }

  @Test func configurationItemsHaveTheSizeOfTheirKey() {
    let set = CfgVALSET(
      layers: [.ram, .batteryBackedRAM],
      items: [
        .init(.uart1OutputNMEA, false), .init(.messageNavPVT, 1), .init(.rateMeasurement, 100),
        .init(.uart1Baudrate, 115_200), .init(ConfigurationKey(rawValue: 0x5005_0001), 1 << 40),
      ])
    #expect(set.payload.count == 4 + 5 * 4 + 1 + 1 + 2 + 4 + 8)
    #expect(CfgVALSET(payload: set.payload) == set)
    for cut in 5..<set.payload.count where ![9, 14, 20, 28].contains(cut) {
      #expect(CfgVALSET(payload: Array(set.payload[..<cut])) == nil)
    }
    let unknownSize = [0, 1, 0, 0] + [1, 0, 0x52, 0x70, 1, 2, 3, 4] as [UInt8]
    #expect(CfgVALSET(payload: unknownSize) == nil)
  }

  @Test func aPollOfValuesAndItsAnswerAreDistinguished() {
    let poll = CfgVALGETPoll(layer: .defaults, keys: [.rateMeasurement, .wildcard(group: 0x11)])
    let answer = CfgVALGET(layer: .ram, position: 64, items: [.init(.rateMeasurement, 1_000)])
    #expect(
      Message(messageClass: 6, id: 0x8B, payload: poll.payload) == .cfgVALGETPoll(poll))
    #expect(Message(messageClass: 6, id: 0x8B, payload: answer.payload) == .cfgVALGET(answer))
  }

  @Test func pollsAreDistinguishedFromCommands() {
    for (payload, isPoll) in [([], true), ([1], true), (CfgPRT().payload, false)] {
      let message = Message(messageClass: 6, id: 0, payload: payload)
      if case .poll(let poll) = message {
        #expect(isPoll)
        #expect(poll.selector == payload)
      } else {
        #expect(!isPoll)
      }
    }
    #expect(
      Message(messageClass: 6, id: 1, payload: [1, 7])
        == .poll(Poll(CfgMSG.self, selector: [1, 7])))
    #expect(
      Message(messageClass: 6, id: 1, payload: [1, 7, 1])
        == .cfgMSG(CfgMSG(targetClass: 1, targetID: 7, rate: .currentPort(1))))
  }

  @Test func keysHaveTheDocumentsNames() {
    #expect(ConfigurationKey.rateMeasurement.name == "CFG-RATE-MEAS")
    #expect(ConfigurationKey.rateMeasurement.valueSize == 2)
    #expect(ConfigurationKey.uart1OutputUBX.isLogical)
    #expect(ConfigurationKey.messageNavPVT.on(.i2c).rawValue == 0x2091_0006)
    #expect(ConfigurationKey.messageNavPVT.on(.usb).rawValue == 0x2091_0009)
    #expect(ConfigurationKey(rawValue: 0x2000_0001).description == "0x20000001")
    #expect(ConfigurationKey.wildcard(group: 0x21).rawValue == 0x0021_FFFF)
    let ids = ConfigurationKey.names.map(\.key.rawValue)
    #expect(Set(ids).count == ids.count)
    #expect(Set(ConfigurationKey.names.map(\.name)).count == ids.count)
    #expect(ConfigurationKey.names.allSatisfy { $0.key.valueSize != nil })
  }

  @Test func sleepIsAskedForInBothForms() {
    var request = RxmPMREQ()
    request.durationMilliseconds = 60_000
    request.flags = [.backup, .force]
    request.wakeupSources = [.uartReceive, .externalInterrupt0]
    #expect(
      request.payload == [0, 0, 0, 0, 0x60, 0xEA, 0, 0, 0x06, 0, 0, 0, 0x28, 0, 0, 0])
    request.wakeupSources = nil
    #expect(request.payload == [0x60, 0xEA, 0, 0, 0x06, 0, 0, 0])
    #expect(RxmPMREQ(payload: request.payload) == request)
  }
}
