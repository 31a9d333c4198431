import BinnacleBasics
import Testing

@testable import LocationEngine

/// Drawings of presses: `#` pressed and `.` let go, 100 ms each; below, what the machine says and when.
///
/// S short, L long, D double, x ignored. Times are those at which the machine was told of something.
private func play(_ drawing: String, hasDouble: Bool = true, step: Int64 = 100) -> String {
  var machine = GestureMachine(GestureTiming(), hasDouble: hasDouble)
  machine.began(isPressed: drawing.hasPrefix("#"))
  var wasPressed = drawing.hasPrefix("#")
  var said = ""
  for (index, letter) in drawing.enumerated() {
    let now = Instant.zero + .milliseconds(step) * Int64(index)
    var outcomes: [GestureMachine.Outcome] = []
    while let due = machine.nextDeadline, due <= now {
      // An edge at the same instant is told first, as the loop does.
      if due == now, (letter == "#") != wasPressed { break }
      outcomes += machine.timeElapsed(at: due)
    }
    if (letter == "#") != wasPressed {
      wasPressed.toggle()
      outcomes += wasPressed ? machine.pressed(at: now) : machine.released(at: now)
    }
    said += outcomes.isEmpty ? "-" : outcomes.map(letterOf).joined()
  }
  return said
}

private func letterOf(_ outcome: GestureMachine.Outcome) -> String {
  switch outcome {
  case .gesture(.short, _): "S"
  case .gesture(.long, _): "L"
  case .gesture(.double, _): "D"
  case .ignored: "x"
  }
}

struct GestureMachineTests {
  @Test func aShortPressIsReportedAfterTheTimeForASecondPress() {
    #expect(play("..###.......") == "---------S--")
  }

  @Test func aShortPressIsReportedAtOnceIfNoActionNeedsADoublePress() {
    #expect(play("..###...", hasDouble: false) == "-----S--")
    #expect(play(".#.#.#.", hasDouble: false) == "--S-S-S")
  }

  @Test func twoShortPressesAreADoubleOne() {
    #expect(play(".##..##.....") == "-------D----")
    #expect(play(".#.#......") == "----D-----")
  }

  @Test func aSecondPressThatIsTooLateIsAnotherOne() {
    #expect(play(".##.....##.....") == "-------S------S")
  }

  @Test func threeShortPressesAreADoubleAndAShortOne() {
    #expect(play(".#.#.#.....") == "----D-----S")
  }

  @Test func aLongPressActsWhileTheButtonIsHeld() {
    #expect(play("." + String(repeating: "#", count: 25) + "..") == "---------------------L------")
  }

  @Test func aPressOfMediumLengthIsIgnored() {
    #expect(play("." + String(repeating: "#", count: 8) + "..") == "---------x-")
    #expect(play("." + String(repeating: "#", count: 19) + "..") == "--------------------x-")
    #expect(play("." + String(repeating: "#", count: 7) + ".....") == "------------S")
  }

  @Test func aShortPressBeforeALongOneIsReportedOnceTheSecondIsTooLong() {
    #expect(play(".#.##########......") == "-----------S-x-----")
    let long = ".#." + String(repeating: "#", count: 22) + "."
    #expect(play(long) == "-----------S-----------L--")
  }

  @Test func aButtonHeldAtTheStartCountsAfterItsRelease() {
    #expect(
      play(String(repeating: "#", count: 30) + ".#......") == String(repeating: "-", count: 36)
        + "S-")
  }

  @Test func aDeadlineThatWasMissedIsAppliedWithTheNextEdge() {
    var machine = GestureMachine(GestureTiming(), hasDouble: true)
    machine.began(isPressed: false)
    _ = machine.pressed(at: .zero)
    #expect(machine.released(at: .zero + .seconds(3)) == [.gesture(.long, beganAt: .zero)])
    let second = Instant.zero + .seconds(4)
    _ = machine.pressed(at: second)
    #expect(machine.released(at: .zero + .milliseconds(4_100)) == [])
    // The press before is told, with its own beginning.
    let told = machine.pressed(at: .zero + .seconds(6))
    #expect(told == [.gesture(.short, beganAt: second)])
    #expect(
      machine.released(at: .zero + .seconds(7)) == [.ignored(held: .seconds(1))])
  }

  /// The gestures of a series of presses.
  private static func judged(
    _ presses: [(down: Int64, up: Int64)], hasDouble: Bool
  ) -> [GestureMachine.Outcome] {
    var outcomes: [GestureMachine.Outcome] = []
    var index = 0
    while index < presses.count {
      let held = presses[index].up - presses[index].down
      let beganAt = Instant.zero + .milliseconds(presses[index].down)
      let next = index + 1 < presses.count ? presses[index + 1] : nil
      if held >= 2_000 {
        outcomes.append(.gesture(.long, beganAt: beganAt))
      } else if held >= 800 {
        outcomes.append(.ignored(held: .milliseconds(held)))
      } else if hasDouble, let next, next.down - presses[index].up <= 400,
        next.up - next.down < 800
      {
        outcomes.append(.gesture(.double, beganAt: beganAt))
        index += 1
      } else {
        outcomes.append(.gesture(.short, beganAt: beganAt))
      }
      index += 1
    }
    return outcomes
  }

  @Test func randomPressesGiveTheExpectedGestures() {
    let lengths: [Int64] = [1, 399, 400, 401, 799, 800, 1_999, 2_000, 2_600]
    var random = Random(seed: 4)
    var seen = Set<String>()
    for round in 0..<4_000 {
      let hasDouble = round % 2 == 0
      var machine = GestureMachine(GestureTiming(), hasDouble: hasDouble)
      machine.began(isPressed: false)
      var presses: [(down: Int64, up: Int64)] = []
      var told: [GestureMachine.Outcome] = []
      var now: Int64 = 0
      // Time runs in millisecond steps or jumps over deadlines; edges come in order either way.
      let isLate = random.chance(0.5)
      func instant(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
      func wait(until end: Int64) {
        while !isLate, let due = machine.nextDeadline, due < instant(end) {
          told += machine.timeElapsed(at: due)
        }
        now = end
      }
      for _ in 0..<5 {
        wait(until: now + lengths[Int(random.next() % 9)])
        let down = now
        told += machine.pressed(at: instant(now))
        wait(until: now + lengths[Int(random.next() % 9)])
        told += machine.released(at: instant(now))
        presses.append((down, now))
      }
      told += machine.timeElapsed(at: instant(now + 10_000))
      #expect(told == Self.judged(presses, hasDouble: hasDouble), "\(presses)")
      #expect(machine.nextDeadline == nil)
      for outcome in told { seen.insert(letterOf(outcome)) }
    }
    #expect(seen == ["S", "L", "D", "x"])
  }
}
