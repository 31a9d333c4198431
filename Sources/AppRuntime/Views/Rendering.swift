internal import Foundation

/// Renders the views of the app as lines of text whenever something that they show has changed.
///
/// A line is printed if it is new or differs from the line at the same place before. Several changes in one turn of
/// the main loop are one rendering.
@MainActor
final class Rendering {
  private struct Observed {
    let object: AnyObject
    let publisher: ObservableObjectPublisher
    let subscription: Int
    var isInUse: Bool
  }

  private let draw: @MainActor (ViewPlace) -> [String]
  private let print: @MainActor (String) -> Void
  private var lines: [String] = []
  private var observed: [ObjectIdentifier: Observed] = [:]
  private var buttons: [ButtonPlace] = []
  private var actions: [@MainActor () -> Void] = []
  private var isScheduled = false
  /// Called once, when the first button is shown.
  var firstButtonShown: (() -> Void)?
  private lazy var root = ViewPlace(self)

  /// - Parameters:
  ///   - print: takes a line of output.
  ///   - draw: draws the views.
  init(
    print: @escaping @MainActor (String) -> Void,
    draw: @escaping @MainActor (ViewPlace) -> [String]
  ) {
    self.print = print
    self.draw = draw
  }

  /// Renders now, and carries out the actions of values that have changed.
  func render() {
    isScheduled = false
    for key in observed.keys { observed[key]?.isInUse = false }
    buttons = []
    show(draw(root))
    for (key, each) in observed where !each.isInUse {
      each.publisher.unsubscribe(each.subscription)
      observed[key] = nil
    }
    let actions = actions
    self.actions = []
    for action in actions { action() }
  }

  /// Renders in the next turn of the main loop: the values that change have their new values then.
  func renderSoon() {
    if isScheduled { return }
    isScheduled = true
    DispatchQueue.main.async { MainActor.assumeIsolated { self.render() } }
  }

  private func show(_ new: [String]) {
    for (index, line) in new.enumerated() where index >= lines.count || lines[index] != line {
      print(line)
    }
    lines = new
  }

  // MARK: Inputs of a rendering

  func observe(_ object: AnyObject, _ publisher: ObservableObjectPublisher) {
    let key = ObjectIdentifier(object)
    if observed[key] != nil {
      observed[key]?.isInUse = true
      return
    }
    let subscription = publisher.subscribe { [weak self] in
      // An object may change on any thread.
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.renderSoon() } }
    }
    observed[key] = Observed(
      object: object, publisher: publisher, subscription: subscription, isInUse: true)
  }

  func show(_ button: ButtonPlace) {
    buttons.append(button)
    firstButtonShown?()
    firstButtonShown = nil
  }

  func afterwards(_ action: @escaping @MainActor () -> Void) { actions.append(action) }

  // MARK: Buttons

  /// Presses the first button with this title, whatever its case; without such a button nothing changes.
  func press(_ title: String) {
    buttons.first { $0.title.lowercased() == title.lowercased() }?.action()
  }
}
