import BinnacleBasics
import Testing

@testable import Simulation

/// Recordings whose rows are not in the order of their time.
struct RowOrderTests {
  /// A line of a sheet: its time in hundredths of a second.
  private static func text(_ times: [Int]) -> String {
    times.enumerated().map { index, time in
      "\(Double(time) / 100),0.00\(index % 3),0,1\n"
    }.joined()
  }

  private struct Read {
    var hundredths: [Int] = []
    var rejected: [Int] = []
    var sheet = MotionSheet()
  }

  private static func read(_ times: [Int]) -> Read {
    var read = Read()
    let take: (MotionSheet.Item) -> Void = { item in
      switch item {
      case .row(let row): read.hundredths.append(Int(row.instant.nanoseconds / 10_000_000))
      case .rejected(let line, .timeBack): read.rejected.append(line)
      case .rejected, .columnsMissing: Issue.record("\(item)")
      }
    }
    var sheet = MotionSheet()
    sheet.read(Array(text(times).utf8), take)
    sheet.finish(take)
    read.sheet = sheet
    return read
  }

  @Test func rowsOutOfOrderAreSortedAndCounted() {
    var times = Array(stride(from: 0, to: 1_000, by: 2))
    for index in stride(from: 0, to: 490, by: 7) { times.swapAt(index, index + 5) }
    let read = Self.read(times)
    #expect(read.hundredths == Array(stride(from: 0, to: 1_000, by: 2)))
    #expect(read.rejected.isEmpty && read.sheet.order.sorted.count > 60)
    #expect(read.sheet.order.sorted.firstLine == 2)
  }

  @Test func aBurstWithOneTimeIsSpreadOverTheTimeBeforeIt() {
    let times = (1...20).flatMap { [Int](repeating: $0 * 50, count: 25) }
    let read = Self.read(times)
    #expect(Array(read.hundredths.dropFirst(25)) == Array(stride(from: 52, through: 1_000, by: 2)))
    #expect(read.sheet.order.simultaneous.count == 20 * 24 && read.rejected.isEmpty)
  }

  @Test func aClockThatIsSetBackContinues() {
    let times =
      Array(stride(from: 9_000, to: 10_000, by: 2)) + Array(stride(from: 0, to: 1_000, by: 2))
    let read = Self.read(times)
    #expect(read.rejected.isEmpty && read.hundredths.count == 1_000)
    #expect(read.hundredths == Array(stride(from: 9_000, to: 11_000, by: 2)))
    #expect(read.sheet.order.restarts.count == 1 && read.sheet.order.restarts.firstLine == 501)
  }

  @Test func aRowFromLongAgoIsLeftOut() {
    var times = Array(stride(from: 10_000, to: 11_000, by: 2))
    times.insert(5, at: 300)
    let read = Self.read(times)
    #expect(read.rejected == [301] && read.hundredths.count == 500)
    #expect(read.sheet.order.sorted.count == 0 && read.sheet.order.restarts.count == 0)
  }
}
