/// An object that a view, a scene or an app makes once and keeps; its changes render the views again.
@MainActor
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
  private let slot: Slot

  @MainActor
  private final class Slot {
    let make: () -> ObjectType
    lazy var object = make()

    init(_ make: @escaping () -> ObjectType) {
      self.make = make
    }
  }

  /// A property whose object is made at its first use.
  public init(wrappedValue make: @autoclosure @escaping () -> ObjectType) {
    slot = Slot(make)
  }

  /// The object.
  public var wrappedValue: ObjectType { slot.object }

  /// Access to the properties of the object.
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject<ObjectType>.Wrapper(object: slot.object)
  }
}

extension StateObject: DynamicProperty {
  func connect(to place: ViewPlace, index: Int) {
    slot.object = place.stored(index) { slot.object }
    place.observe(slot.object, slot.object.objectWillChange)
  }
}
