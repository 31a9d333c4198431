import Testing

@testable import AppRuntime

/// Views as lines, and the renderings that follow a change.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RenderingTests {
  @MainActor
  private final class Printed {
    var lines: [String] = []

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private struct OneView<Content: View>: App {
    @ViewBuilder var content: Content

    init() { preconditionFailure("a test makes its views itself") }

    init(_ content: Content) { self.content = content }

    var body: some Scene { WindowGroup { content } }
  }

  private let printed = Printed()

  private func rendering(_ content: some View) -> Rendering {
    let app = OneView(content)
    return Rendering(print: { [printed] in printed.lines.append($0) }) { $0.draw(app: app) }
  }

  /// Waits until the main loop has rendered what has changed.
  private func nextRendering() async {
    for _ in 0..<1_000 where printed.lines.isEmpty { await Task.yield() }
  }

  @MainActor
  final class Trip: ObservableObject {
    @Published var count = 0
    @Published var name = "a"
    var hidden = 0
  }

  private struct TripView: View {
    @ObservedObject var trip: Trip

    var body: some View {
      Text("name \(trip.name)")
      Text("count \(trip.count)")
      if trip.count > 1 { Text("many") }
    }
  }

  @Test func stacksPlaceTheirViews() {
    rendering(
      VStack {
        Text("first\nsecond")
        Spacer()
        HStack {
          VStack {
            Text("a")
            Text("long")
          }
          Text("b")
        }
        HStack { Text("alone") }
        EmptyView()
      }
    ).render()
    #expect(printed.take() == ["first", "second", "", "a    b", "long", "alone"])
  }

  @Test func aChangeOfAPropertyPrintsTheLinesThatChange() async {
    let trip = Trip()
    let rendering = rendering(TripView(trip: trip))
    rendering.render()
    #expect(printed.take() == ["name a", "count 0"])
    trip.count = 1
    trip.count = 2
    await nextRendering()
    #expect(printed.take() == ["count 2", "many"])
    trip.name = "b"
    await nextRendering()
    #expect(printed.take() == ["name b"])
    rendering.render()
    #expect(printed.take() == [])
  }

  private struct Counter: View {
    @State var count = 0
    @StateObject var trip = Trip()

    var body: some View {
      Text("\(count) \(trip.name)")
      Button("more") {
        count += 1
        trip.name += "a"
      }
    }
  }

  @Test func stateStaysWithItsViewAndABranchThatGoesForgetsIt() async {
    let trip = Trip()
    struct Whole: View {
      @ObservedObject var trip: Trip
      var body: some View {
        if trip.count == 0 { Counter() } else { Text("gone") }
      }
    }
    let rendering = rendering(Whole(trip: trip))
    rendering.render()
    #expect(printed.take() == ["0 a", "[more]"])
    rendering.press("MORE")
    await nextRendering()
    #expect(printed.take() == ["1 aa"])
    trip.count = 1
    await nextRendering()
    #expect(printed.take() == ["gone"])
    rendering.press("more")
    trip.count = 0
    await nextRendering()
    #expect(printed.take() == ["0 a", "[more]"])
  }

  private struct Inner: View {
    @EnvironmentObject var trip: Trip
    @Environment(\.scenePhase) var phase
    var body: some View { Text("\(trip.name) \(phase)") }
  }

  @Test func anObjectAboveReachesTheViewsBelow() async {
    let (outer, inner) = (Trip(), Trip())
    inner.name = "inner"
    rendering(
      VStack {
        Inner()
        Inner().environmentObject(inner)
      }.environmentObject(outer)
    ).render()
    #expect(printed.take() == ["a active", "inner active"])
    outer.name = "outer"
    await nextRendering()
    #expect(printed.take() == ["outer active"])
  }

  @Test func aValueThatChangesCarriesOutItsAction() async {
    let trip = Trip()
    let changes = Printed()
    struct Watching: View {
      @ObservedObject var trip: Trip
      let changes: Printed
      var body: some View {
        Text("watching")
          .onChange(of: trip.count) { changes.lines.append("\($0) to \($1)") }
          .onChange(of: trip.name, initial: true) { changes.lines.append("name") }
      }
    }
    let rendering = rendering(Watching(trip: trip, changes: changes))
    rendering.render()
    #expect(changes.take() == ["name"])
    trip.count = 3
    rendering.render()
    #expect(changes.take() == ["0 to 3"])
    rendering.render()
    #expect(changes.take() == [])
  }

  // MARK: Objects

  @Test func allPublishedPropertiesOfAnObjectShareOnePublisher() {
    let trip = Trip()
    #expect(trip.objectWillChange === trip.objectWillChange)
    let changes = Printed()
    let before = trip.objectWillChange.subscribe {
      MainActor.assumeIsolated { changes.lines.append("\(trip.count)\(trip.name)") }
    }
    trip.count = 1
    trip.name = "b"
    // The subscriber is informed before the property has its new value.
    #expect(changes.take() == ["0a", "1a"])
    trip.objectWillChange.unsubscribe(before)
    trip.hidden = 1
    trip.count = 2
    #expect(changes.take() == [])
  }

  @Test func theValuesOfAPropertyBeginWithThePresentOne() async {
    let trip = Trip()
    var values = trip.$count.values.makeAsyncIterator()
    trip.count = 5
    #expect(await values.next() == 0)
    #expect(await values.next() == 5)
  }

  final class Special: Vehicle {
    @Published var more = false
  }

  @MainActor
  class Vehicle: ObservableObject {
    @Published var count = 0
  }

  @Test func aSubclassSharesThePublisherOfItsSuperclass() {
    let special = Special()
    let changes = Printed()
    _ = special.objectWillChange.subscribe {
      MainActor.assumeIsolated { changes.lines.append("changed") }
    }
    special.more = true
    special.count = 1
    #expect(changes.take().count == 2)
  }
}
