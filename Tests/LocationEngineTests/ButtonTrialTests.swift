import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Trials of a button, with hands that press it well, otherwise, or not at all.
struct ButtonTrialTests {
  /// The output of a trial, and the simulated line.
  private struct Bench {
    var trial: ButtonTrial
    var now = Instant.zero + .seconds(100)
    var isPressed: Bool
    var said: [ButtonTrial.Action] = []

    init(hasDouble: Bool = true, isPressed: Bool = false) {
      var button = PanelSettings.Button(name: "HOME")
      button.actions.double = hasDouble ? .mark : .none
      trial = ButtonTrial(button, GestureTiming())
      self.isPressed = isPressed
      take(trial.opened(isActive: isPressed, isDebounced: true, at: now))
    }

    private mutating func take(_ actions: [ButtonTrial.Action]) {
      for action in actions {
        if action == .read {
          take(trial.levelRead(isActive: isPressed, at: now))
        } else {
          said.append(action)
        }
      }
    }

    /// Lets time pass, telling every deadline on its way.
    mutating func pass(_ interval: Interval) {
      let end = now + interval
      while let due = trial.nextDeadline, due <= end {
        now = max(now, due)
        take(trial.deadlineReached(at: now))
      }
      now = end
    }

    mutating func hold(_ interval: Interval) {
      set(true)
      pass(interval)
      set(false)
      pass(.milliseconds(100))
    }

    mutating func set(_ isPressed: Bool) {
      self.isPressed = isPressed
      take(trial.edge(isActive: isPressed, at: now, now: now))
    }

    mutating func giveUp() { take(trial.givenUp(at: now)) }
  }

  @Test func everyGestureIsAskedForAndSeen() {
    var bench = Bench()
    bench.hold(.milliseconds(200))
    bench.pass(.seconds(1))
    bench.hold(.milliseconds(2_500))
    bench.pass(.seconds(1))
    bench.hold(.milliseconds(100))
    bench.hold(.milliseconds(100))
    #expect(
      bench.said == [
        .ask(.short), .saw(.gesture(.short)), .ask(.long), .saw(.gesture(.long)), .ask(.double),
        .saw(.gesture(.double)), .end(.tried(missed: [])),
      ])
    #expect(bench.trial.nextDeadline == nil)
  }

  @Test func aButtonWithoutDoublePressesIsNotAskedForOne() {
    var bench = Bench(hasDouble: false)
    bench.hold(.milliseconds(200))
    bench.hold(.milliseconds(2_500))
    #expect(bench.said.last == .end(.tried(missed: [])))
    #expect(!bench.said.contains(.ask(.double)))
  }

  @Test func aButtonThatNeverMovesIsSilentWhenTheTimeIsUp() {
    var bench = Bench()
    bench.pass(ButtonTrial.timeMax - .milliseconds(1))
    #expect(bench.said == [.ask(.short)])
    bench.pass(.milliseconds(1))
    #expect(bench.said == [.ask(.short), .end(.silent)])
  }

  @Test func theOperatorMayEndTheTrialAtOnce() {
    var bench = Bench()
    bench.giveUp()
    #expect(bench.said == [.ask(.short), .end(.silent)])
    bench.giveUp()
    #expect(bench.said.count == 2)
  }

  @Test func aButtonThatIsPressedAllTheTimeIsStuck() {
    var bench = Bench(isPressed: true)
    #expect(bench.said == [.askForRelease])
    bench.pass(ButtonTrial.timeMax)
    #expect(bench.said == [.askForRelease, .end(.stuck)])
  }

  @Test func aButtonThatIsLetGoIsTriedLikeAnyOther() {
    var bench = Bench(isPressed: true)
    bench.pass(.seconds(3))
    bench.set(false)
    bench.pass(.milliseconds(100))
    #expect(bench.said == [.askForRelease, .ask(.short)])
  }

  @Test func aButtonThatSticksWhilePressedIsStuck() {
    var bench = Bench()
    bench.set(true)
    bench.pass(ButtonTrial.timeMax)
    #expect(bench.said == [.ask(.short), .saw(.gesture(.long)), .end(.stuck)])
  }

  @Test func otherPressesAreShownAndTheMissingOnesNamed() {
    var bench = Bench()
    bench.hold(.milliseconds(1_200))
    bench.pass(ButtonTrial.timeMax)
    bench.giveUp()
    bench.giveUp()
    #expect(
      bench.said == [
        .ask(.short), .saw(.ignored), .ask(.long), .ask(.double),
        .end(.tried(missed: [.short, .long, .double])),
      ])
  }
}
