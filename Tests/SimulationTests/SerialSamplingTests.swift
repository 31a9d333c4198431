import BinnacleBasics
import Simulation
import Testing

private let text = Array("$GNRMC,204221.00,A*73\r\n".utf8)

@Test func nearSpeedsAreUnderstood() {
  #expect(SerialSampling.heard(text, sentAt: 9_600, readAt: 9_600) == text)
  #expect(SerialSampling.heard(text, sentAt: 9_600, readAt: 9_800) == text)
  #expect(SerialSampling.heard(text, sentAt: 115_200, readAt: 113_000) == text)
}

@Test func otherSpeedsGiveTheSameGarbageEveryTime() {
  for (sent, read) in [(9_600, 38_400), (38_400, 9_600), (115_200, 9_600), (9_600, 115_200)] {
    let heard = SerialSampling.heard(text, sentAt: sent, readAt: read)
    #expect(heard != text)
    #expect(!heard.isEmpty)
    #expect(heard == SerialSampling.heard(text, sentAt: sent, readAt: read))
    #expect(RecordedFrame.frames(in: heard).isEmpty)
  }
}

@Test func aSlowListenerHearsFewerBytesAFastOneMore() {
  let many = [UInt8](repeating: 0x55, count: 120)
  #expect(SerialSampling.heard(many, sentAt: 115_200, readAt: 9_600).count <= 12)
  #expect(SerialSampling.heard(many, sentAt: 9_600, readAt: 115_200).count > 300)
}
