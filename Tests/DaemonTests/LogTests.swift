import BinnacleBasics
import BinnacleModel
import TestSupport
import Testing

@testable import Daemon

struct LogTests {
  private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test func aLineThatRepeatsIsHeldBackAndReportedOnceAMinute() {
    var limiter = LogLimiter()
    let answers = (Int64(0)..<10).map {
      limiter.admits("again", level: .info, from: .board, at: at($0))
    }
    #expect(answers == [true, true, true] + [Bool](repeating: false, count: 7))
    #expect(limiter.heldBackCount == 7)
    #expect(limiter.nextDeadline == at(63))
    #expect(limiter.takeHeldBack(at: at(62)) == [])
    #expect(
      limiter.takeHeldBack(at: at(63))
        == [LogLimiter.HeldBack(source: .board, count: 7, last: "again")])
    #expect(limiter.nextDeadline == nil)
    #expect(limiter.admits("again", level: .info, from: .board, at: at(63)) == true)
  }

  @Test func otherLinesPassMeanwhile() {
    var limiter = LogLimiter()
    for second in Int64(0)..<10 {
      _ = limiter.admits("again", level: .info, from: .board, at: at(second))
    }
    #expect(limiter.admits("something else", level: .info, from: .board, at: at(10)) == true)
  }

  @Test func aUsersLinesHaveALimitThatCostsNoOtherUserALine() {
    var limiter = LogLimiter()
    let passed = (0..<10_000).count {
      limiter.admits("malformed \($0)", level: .warning, from: .user(1_000), at: at(1))
    }
    #expect(passed == LogLimiter.userLinesMax)
    #expect(limiter.admits("malformed", level: .warning, from: .user(1_001), at: at(1)) == true)
    let ofBoard = (0..<LogLimiter.boardLinesMax).count {
      limiter.admits("line \($0)", level: .info, from: .board, at: at(1))
    }
    #expect(ofBoard == LogLimiter.boardLinesMax)
    #expect(
      limiter.takeHeldBack(at: at(61)).map(\.inWords) == [
        "log: 9940 lines that clients of user 1000 caused were held back, the last of them: malformed 9999"
      ])
    #expect(limiter.admits("later", level: .warning, from: .user(1_000), at: at(61)) == true)
  }

  @Test func manyUsersShareTheRestOfTheBudget() {
    var limiter = LogLimiter()
    var passed = 0
    for user in UInt32(0)..<1_000 {
      for line in 0..<100
      where limiter.admits("\(line)", level: .warning, from: .user(user), at: at(1)) {
        passed += 1
      }
    }
    #expect(passed <= (LogLimiter.sourcesMax + 1) * LogLimiter.userLinesMax)
    #expect(limiter.admits("later", level: .warning, from: .user(5_000), at: at(90)) == true)
  }

  @Test(arguments: [LogLevel.error, .warning, .notice])
  func linesAboutTheBoardAreNeverSuppressed(_ level: LogLevel) {
    var limiter = LogLimiter()
    for line in 0..<10_000 {
      _ = limiter.admits("\(line)", level: .info, from: .board, at: at(1))
      _ = limiter.admits("\(line)", level: .warning, from: .user(7), at: at(1))
    }
    for _ in 0..<20 {
      #expect(limiter.admits("the receiver is lost", level: level, from: .board, at: at(2)) == true)
    }
  }

  @Test func aLineStatesItsPriorityToTheJournalAndItsLevelToPeople() {
    #expect(LogLine.format("a: b", level: .info, isJournal: true) == "<6>a: b\n")
    #expect(LogLine.format("a: b", level: .error, isJournal: true) == "<3>a: b\n")
    #expect(LogLine.format("a: b", level: .info, isJournal: false) == "binnacled: a: b\n")
    #expect(
      LogLine.format("a: b", level: .warning, isJournal: false) == "binnacled: warning: a: b\n")
  }

  @Test func aClientsNameCannotForgeALogLine() {
    #expect(
      LogLine.format("client\n<0>all is lost\u{1b}[2J", level: .info, isJournal: true)
        == "<6>client?<0>all is lost?[2J\n")
  }

  @Test func aClientsNameCannotMoveTheCursorOrReverseALogLine() {
    for isJournal in [false, true] {
      let line = LogLine.format(
        "client \(ForeignText.sample)", level: .warning, isJournal: isJournal)
      #expect(ForeignText.remains(in: line) == [])
      #expect(line.dropLast().allSatisfy { $0 != "\n" })
    }
  }
}
