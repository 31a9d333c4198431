import BinnacleBasics
import Testing

@testable import LocationEngine

/// The level that counts at each millisecond, for a contact that is drawn: `#` closed, `.` open.
private func settled(_ drawing: String, lasting: Int64) -> (String, Int) {
  var machine = BounceMachine(lasting: .milliseconds(lasting))
  machine.began(isActive: false)
  var was = false
  var drawn = ""
  for (index, letter) in drawing.enumerated() {
    let now = Instant.zero + .milliseconds(Int64(index))
    let isClosed = letter == "#"
    if isClosed != was { _ = machine.edge(isActive: isClosed, at: now) }
    was = isClosed
    if let due = machine.nextDeadline, due <= now {
      _ = machine.levelRead(isActive: isClosed, at: now)
    }
    drawn += machine.isActive ? "#" : "."
  }
  return (drawn, machine.bounceCount)
}

struct BounceMachineTests {
  @Test func aClickIsOnePressHoweverItBounces() {
    let (drawn, bounces) = settled("..#.#..#.##########.#..#..........", lasting: 4)
    #expect(drawn == ".............###############......")
    #expect(bounces == 5)
  }

  @Test func aSpikeIsNoPress() {
    let (drawn, bounces) = settled("....#......##.....", lasting: 4)
    #expect(drawn == String(repeating: ".", count: 18))
    #expect(bounces == 2)
  }

  @Test func aChangeBeginsWithTheEdgeThatBeganIt() {
    var machine = BounceMachine(lasting: .milliseconds(10))
    machine.began(isActive: false)
    #expect(machine.edge(isActive: true, at: .zero + .milliseconds(100)) == [])
    #expect(machine.nextDeadline == .zero + .milliseconds(110))
    #expect(
      machine.levelRead(isActive: true, at: .zero + .milliseconds(110))
        == [.init(isActive: true, instant: Instant.zero + .milliseconds(100))])
    // Without a poll of the level, the next edge shows that the level lasted.
    #expect(machine.edge(isActive: false, at: .zero + .milliseconds(500)) == [])
    #expect(
      machine.edge(isActive: true, at: .zero + .milliseconds(600))
        == [.init(isActive: false, instant: Instant.zero + .milliseconds(500))])
  }

  @Test func aLostEdgeIsFoundByReadingTheLevel() {
    var machine = BounceMachine(lasting: .milliseconds(10))
    machine.began(isActive: true)
    #expect(machine.levelRead(isActive: false, at: .zero) == [])
    #expect(
      machine.levelRead(isActive: false, at: .zero + .milliseconds(10))
        == [.init(isActive: false, instant: .zero)])
  }

  @Test func withoutATimeEveryEdgeCounts() {
    var machine = BounceMachine(lasting: .zero)
    machine.began(isActive: false)
    #expect(machine.edge(isActive: true, at: .zero) == [.init(isActive: true, instant: .zero)])
    #expect(machine.edge(isActive: false, at: .zero) == [.init(isActive: false, instant: .zero)])
  }

  @Test func changesAlternateAndNeverRunBackwards() {
    var random = Random(seed: 9)
    for _ in 0..<300 {
      var machine = BounceMachine(lasting: .milliseconds(Int64(random.next() % 4) * 5))
      machine.began(isActive: false)
      var now = Instant.zero
      var last = BounceMachine.Change(isActive: false, instant: .zero)
      for _ in 0..<200 {
        now += .milliseconds(Int64(random.next() % 12))
        let isActive = random.chance(0.5)
        let changes =
          random.chance(0.7)
          ? machine.edge(isActive: isActive, at: now)
          : machine.levelRead(isActive: isActive, at: now)
        for change in changes {
          #expect(change.isActive != last.isActive)
          #expect(change.instant >= last.instant && change.instant <= now)
          last = change
        }
        #expect(machine.isActive == last.isActive)
      }
    }
  }
}
