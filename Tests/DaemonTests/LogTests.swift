import Basics
import Model
import Testing

@testable import Daemon

struct LogTests {
  private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test func aLineThatRepeatsIsHeldBackAndCounted() {
    var limiter = LogLimiter()
    let answers = (Int64(0)..<10).map { limiter.admit("again", at: at($0)) }
    #expect(answers == [0, 0, 0, nil, nil, nil, nil, nil, nil, nil])
    #expect(limiter.heldBackCount == 7)
    #expect(limiter.admit("again", at: at(60)) == 7)
    #expect(limiter.admit("again", at: at(61)) == 0)
  }

  @Test func otherLinesPassMeanwhile() {
    var limiter = LogLimiter()
    for second in Int64(0)..<10 { _ = limiter.admit("again", at: at(second)) }
    #expect(limiter.admit("something else", at: at(10)) == 0)
  }

  @Test func linesThatAllDifferHaveALimitToo() {
    var limiter = LogLimiter()
    let passed = (0..<10_000).count { limiter.admit("line \($0)", at: at(1)) != nil }
    #expect(passed == LogLimiter.linesPerWindowMax)
    #expect(limiter.admit("later", at: at(61)) == 0)
  }

  @Test func aLineSaysItsPriorityToTheJournalAndItsLevelToPeople() {
    #expect(LogLine.format("a: b", level: .info, isJournal: true) == "<6>a: b\n")
    #expect(LogLine.format("a: b", level: .error, isJournal: true) == "<3>a: b\n")
    #expect(LogLine.format("a: b", level: .info, isJournal: false) == "binnacled: a: b\n")
    #expect(
      LogLine.format("a: b", level: .warning, isJournal: false) == "binnacled: warning: a: b\n")
  }

  @Test func aStrangersNameCannotForgeALine() {
    #expect(
      LogLine.format("client\n<0>all is lost\u{1b}[2J", level: .info, isJournal: true)
        == "<6>client?<0>all is lost?[2J\n")
  }
}
