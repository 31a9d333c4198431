/// `Docs/STATES.md`: the states of the machines that decide about the rights of apps, and their changes in the walk.
struct StatesPage {
  let changes: Set<StateChange>

  var text: String {
    let parts = StateChange.Machine.allCases.map(section)
    return ([StatesPage.introduction] + parts).joined(separator: "\n")
  }

  private static let introduction = """
    # States

    The machines that decide about the rights of an app, their states, and every change between two states. The walk through all
    short histories of two apps (`Tests/WalkTests`) has printed this page; `make drawings` prints it again, and a test compares the page
    with the walk. [APPS.md](APPS.md) has the same rules for authors of apps.

    The events are those of the app in the table. "Time passes" ends `BackgroundGrace` and `RejoinWindow`. A change of one machine is
    often the event of another: a denial ends sessions, and the end of the last session makes the indicator dark.

    """

  private func section(_ machine: StateChange.Machine) -> String {
    var lines = ["## \(machine.title)", "", "| state | meaning |", "|---|---|"]
    lines += machine.states.map { "| \($0.name) | \($0.meaning) |" }
    lines += ["", "| from | event | to |", "|---|---|---|"]
    let own = changes.filter { $0.machine == machine }.sorted()
    var rows: [(from: String, events: [String], to: String)] = []
    for change in own {
      if let last = rows.last, last.from == change.from, last.to == change.to {
        rows[rows.count - 1].events.append(change.event)
      } else {
        rows.append((change.from, [change.event], change.to))
      }
    }
    lines += rows.map { "| \($0.from) | \($0.events.joined(separator: "; ")) | \($0.to) |" }
    return (lines + [""]).joined(separator: "\n")
  }
}
