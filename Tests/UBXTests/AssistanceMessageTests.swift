import BinnacleBasics
import Testing

@testable import UBX

/// The messages of assistance: navigation database, time, position, and acknowledgements.
@Suite struct AssistanceMessageTests {
  @Test func timeIsReportedAsTheDocumentsLayItOut() throws {
    let time = try #require(
      UTCTime(
        year: 2026, month: 11, day: 21, hour: 10, minute: 5, second: 59, nanoseconds: 7))
    let message = MgaINITimeUTC(time, accuracy: .milliseconds(2_500))
    #expect(
      message.payload == [
        0x10, 0, 0, 0x80, 0xEA, 0x07, 11, 21, 10, 5, 59, 0, 7, 0, 0, 0, 2, 0, 0, 0, 0x00, 0x65,
        0xCD, 0x1D,
      ])
    #expect(message.time == time)
    #expect(message.accuracy == .milliseconds(2_500))
    #expect(
      Message(messageClass: 0x13, id: 0x40, payload: message.payload) == .mgaINITimeUTC(message))
  }

  @Test func anUncertaintyThatDoesNotFitIsTheLargestThatDoes() {
    let message = MgaINITimeUTC(UTCTime(secondsSince1970: 0), accuracy: .seconds(100_000))
    #expect(message.accuracy == .seconds(65_535))
  }

  @Test func aPositionIsReportedAsTheDocumentsLayItOut() {
    var message = MgaINIPositionLLH()
    message.latitudeE7 = 473_977_418
    message.longitudeE7 = -85_455_939
    message.altitudeCentimeters = 45_000
    message.accuracyCentimeters = 3_100_000
    #expect(
      message.payload == [
        0x01, 0, 0, 0, 0x4A, 0x52, 0x40, 0x1C, 0xBD, 0x0B, 0xE8, 0xFA, 0xC8, 0xAF, 0, 0, 0x60, 0x4D,
        0x2F, 0,
      ])
    #expect(
      Message(messageClass: 0x13, id: 0x40, payload: message.payload)
        == .mgaINIPositionLLH(message))
  }

  @Test func aRecordOfTheDatabaseIsKeptByteForByte() {
    for length in [12, 13, 100, 164] {
      let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
      guard
        case .mgaDBD(let record) = Message(messageClass: 0x13, id: 0x80, payload: payload)
      else {
        Issue.record("\(length) bytes are a record")
        continue
      }
      #expect(record.payload == payload)
    }
    for length in [1, 11, 165] {
      let payload = [UInt8](repeating: 1, count: length)
      #expect(
        Message(messageClass: 0x13, id: 0x80, payload: payload)
          == .other(messageClass: 0x13, id: 0x80, payloadLength: length))
    }
    #expect(
      Message(messageClass: 0x13, id: 0x80, payload: [])
        == .poll(Poll(messageClass: 0x13, messageID: 0x80)))
  }

  @Test func anAcknowledgementHasTheResultOfAMessage() {
    let accepted = MgaACK(payload: [1, 0, 0, 0x40, 0x10, 0, 0, 0x80])
    #expect(accepted?.isAccepted == true)
    #expect(accepted?.acknowledgedID == 0x40)
    #expect(accepted?.payloadStart == 0x8000_0010)
    let refused = MgaACK(payload: [0, 0, 1, 0x80, 5, 0, 0, 0])
    #expect(refused?.isAccepted == false)
    #expect(refused?.reason == .timeUnknown)
    // Another type and another version are other messages.
    #expect(MgaACK(payload: [2, 0, 0, 0x80, 5, 0, 0, 0]) == nil)
    #expect(MgaACK(payload: [1, 1, 0, 0x80, 5, 0, 0, 0]) == nil)
  }

  @Test func theNumberOfAChipHasFiveOrSixBytes() {
    let old = SecUNIQID(payload: [1, 0, 0, 0, 1, 2, 3, 4, 5])
    #expect(old?.number == [1, 2, 3, 4, 5])
    let m10 = SecUNIQID(payload: [2, 0, 0, 0, 1, 2, 3, 4, 5, 6])
    #expect(m10?.number == [1, 2, 3, 4, 5, 6])
    #expect(SecUNIQID(payload: [1, 0, 0, 0, 1, 2, 3, 4, 5, 6]) == nil)
    #expect(SecUNIQID(payload: []) == nil)
  }
}
