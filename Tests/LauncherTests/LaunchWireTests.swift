import LaunchWire
import Testing

@Suite struct LaunchWireTests {
  @Test(arguments: [0, 1, .max] as [UInt32])
  func aQuestionIsReadBack(number: UInt32) {
    let question = LaunchQuestion(number: number)
    #expect(LaunchQuestion(decoding: question.encoded) == question)
    #expect(question.encoded.count <= LaunchQuestion.sizeMax)
  }

  @Test func everyAnswerIsReadBackAndEveryDamagedOneIsRefused() {
    let answers = [
      LaunchAnswer(number: 7, .program(path: "/usr/bin/tracker", device: .max, file: 70)),
      LaunchAnswer(
        number: 8,
        .program(path: "/" + String(repeating: "a", count: 4_095), device: 0, file: 0)),
      LaunchAnswer(number: .max, .unknown(reason: "no such process")),
    ]
    for answer in answers {
      let packet = answer.encoded
      #expect(LaunchAnswer(decoding: packet) == answer)
      #expect(packet.count <= LaunchAnswer.sizeMax)
      #expect(LaunchAnswer(decoding: packet + [0]) == nil)
      for count in 0..<min(packet.count, 40) {
        #expect(LaunchAnswer(decoding: Array(packet.prefix(count))) == nil)
      }
    }
    let relative = LaunchAnswer(number: 7, .program(path: "tracker", device: 1, file: 1))
    #expect(LaunchAnswer(decoding: relative.encoded) == nil)
    #expect(LaunchQuestion(decoding: []) == nil)
    #expect(LaunchQuestion(decoding: [2, 1, 0, 0, 0, 0]) == nil)
  }
}
