internal import BinnacleModel
package import CoreLocation
internal import Foundation

/// The presses of buttons for this app, while the app is in the foreground.
///
///     for await event in ButtonEvents() {
///       print("\(event.button) was pressed at \(event.timestamp)")
///     }
///
/// The app gets the presses whose gesture has the action `mark` in the board's profile, such as a short press of the button
/// `MARK`. A press contains no location, so the app needs no authorization. Presses while the app is in the background, or
/// while no loop runs, are not delivered later. The loop continues when the daemon starts again; it ends only when its task is
/// canceled. Each loop gets all presses. A loop that does not keep up loses the oldest ones once 64 wait.
public struct ButtonEvents: AsyncSequence, Sendable {
  /// The element of the sequence.
  public typealias Element = ButtonEvent
  /// The sequence does not throw.
  public typealias Failure = Never

  private let storage: @Sendable () -> ButtonsStorage

  /// The presses for this app.
  public init() {
    self.init { ButtonsStorage.ofThisProcess }
  }

  package init(_ storage: @escaping @Sendable () -> ButtonsStorage) {
    self.storage = storage
  }

  /// An iterator over presses.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: AsyncStream<ButtonPress>.Iterator

    init(_ base: AsyncStream<ButtonPress>.Iterator) {
      self.base = base
    }

    /// The next press; nil once the task is canceled.
    public mutating func next() async -> ButtonEvent? {
      await base.next().map { ButtonEvent($0) }
    }
  }

  /// Makes an iterator that gets the presses from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(storage().presses().makeAsyncIterator())
  }
}

@available(*, unavailable)
extension ButtonEvents.Iterator: Sendable {}

extension ButtonEvent {
  fileprivate init(_ press: ButtonPress) {
    self.init(
      button: press.button, gesture: Gesture(press.gesture),
      timestamp: Date(timeIntervalSince1970: press.time.timeIntervalSince1970))
  }
}

extension ButtonEvent.Gesture {
  // Not by a switch: Swift 6.0 does not take one over another library's enumeration where libraries evolve.
  fileprivate init(_ gesture: BinnacleModel.Gesture) {
    self = gesture == .short ? .short : gesture == .long ? .long : .double
  }
}
