import BinnacleBasics
import Testing

@testable import LiveView

struct PaintBudgetTests {
  @Test func theBudgetHoldsInAnySecond() {
    var budget = PaintBudget()
    var now = Instant.zero + .seconds(5)
    var spent: [(at: Instant, count: Int)] = []
    var random = Random(seed: 3)
    for _ in 0..<5_000 {
      let count = min(budget.room(at: now), Int(random.next() % 1_200))
      budget.spent(count, at: now)
      spent.append((now, count))
      now += .milliseconds(Int64(random.next() % 40))
    }
    for (index, first) in spent.enumerated() {
      let sum = spent[index...].prefix { $0.at - first.at < .seconds(1) }
        .reduce(0) { $0 + $1.count }
      #expect(sum <= PaintBudget.bytesPerSecondMax)
    }
    let whole = (now - spent[0].at).seconds
    let all = spent.reduce(0) { $0 + $1.count }
    #expect(Double(all) <= 900 * whole + 1_000)
    #expect(Double(all) > 800 * whole, "the budget is used")
  }

  @Test(arguments: [300, 1_200, 9_600, 115_200] as [UInt32])
  func aSlowLineGetsLessThanItCarries(baud: UInt32) {
    var budget = PaintBudget(baud: baud)
    var now = Instant.zero
    var count = 0
    for _ in 0..<10_000 {
      let room = budget.room(at: now)
      budget.spent(room, at: now)
      count += room
      now += .milliseconds(10)
    }
    #expect(count <= Int(baud) / 10 * 100 + 1_000)
  }

  @Test func aWholeScreenIsPaintedAtOnceExceptOnASlowLine() {
    for baud: UInt32? in [nil, 0, 38_400, 115_200] {
      var budget = PaintBudget(baud: baud)
      let start = Instant.zero + .seconds(5)
      budget.spent(200, at: start)
      #expect(budget.roomTime(of: 1_700, at: start) <= start)
      #expect(budget.room(at: start + .milliseconds(50)) == 1_700)
      budget.spent(1_700, at: start + .milliseconds(50))
      #expect(budget.room(at: start + .milliseconds(900)) == 0)
      // Unused room of the first second is lost.
      #expect(budget.room(at: start + .seconds(60)) == 1_000)
    }
    #expect(PaintBudget(baud: 9_600).room(at: .zero) == 1_000)
  }

  @Test func roomComesWhenItIsPromised() {
    var budget = PaintBudget()
    budget.spent(budget.room(at: .zero), at: .zero)
    #expect(budget.room(at: .zero) == 0)
    for count in [1, 80, 200, 999] {
      let time = budget.roomTime(of: count, at: .zero)
      #expect(budget.room(at: time) >= count - 1)
      #expect(budget.room(at: time - .milliseconds(10)) < count)
    }
  }
}
