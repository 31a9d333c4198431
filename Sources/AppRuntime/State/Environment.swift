/// A value of the environment of a view, a scene or an app, such as the phase of the app.
///
///     @Environment(\.scenePhase) private var scenePhase
@MainActor
@propertyWrapper
public struct Environment<Value> {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let slot = Slot()

  @MainActor
  private final class Slot {
    var values = EnvironmentValues()
  }

  /// The value at a key path.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    self.keyPath = keyPath
  }

  /// The value.
  public var wrappedValue: Value { slot.values[keyPath: keyPath] }
}

extension Environment: DynamicProperty {
  func connect(to place: ViewPlace, index: Int) { slot.values = place.environment }
}
