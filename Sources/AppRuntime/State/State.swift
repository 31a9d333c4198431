/// A value that a view keeps between its renderings.
@MainActor
@propertyWrapper
public struct State<Value> {
  private let slot: Slot

  /// A value with the view's place, whose change renders the views again.
  private final class Kept {
    var value: Value
    let changed = ObservableObjectPublisher()

    init(_ value: Value) {
      self.value = value
    }
  }

  @MainActor
  private final class Slot {
    let first: Value
    lazy var kept = Kept(first)

    init(_ first: Value) {
      self.first = first
    }
  }

  /// A property with a first value.
  public init(wrappedValue: Value) {
    slot = Slot(wrappedValue)
  }

  /// A property with a first value.
  public init(initialValue: Value) {
    self.init(wrappedValue: initialValue)
  }

  /// The value.
  public var wrappedValue: Value {
    get { slot.kept.value }
    nonmutating set {
      slot.kept.changed.send()
      slot.kept.value = newValue
    }
  }

  /// Access to the value for another view.
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }
}

extension State: DynamicProperty {
  func connect(to place: ViewPlace, index: Int) {
    slot.kept = place.stored(index) { slot.kept }
    place.observe(slot.kept, slot.kept.changed)
  }
}
