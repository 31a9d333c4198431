/// An object that a view above has given by ``View/environmentObject(_:)``; its changes render the views again.
///
/// An app delegate that is an ``ObservableObject`` is there for all views.
@MainActor
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject> {
  private let slot = Slot()

  @MainActor
  private final class Slot {
    var object: ObjectType?
  }

  /// A property whose object comes from a view above.
  public init() {}

  /// The object; a view that needs an object that no view above has given is a mistake that ends the process.
  public var wrappedValue: ObjectType {
    guard let object = slot.object else {
      preconditionFailure(
        "No view above has given an object of type \(ObjectType.self) by environmentObject(_:).")
    }
    return object
  }

  /// Access to the properties of the object.
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject<ObjectType>.Wrapper(object: wrappedValue)
  }
}

extension EnvironmentObject: DynamicProperty {
  func connect(to place: ViewPlace, index: Int) {
    slot.object = place.environment.object(of: ObjectType.self)
    if let object = slot.object { place.observe(object, object.objectWillChange) }
  }
}
