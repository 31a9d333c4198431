/// The values that views get from above.
@MainActor
public struct EnvironmentValues {
  /// The phase of the app.
  public internal(set) var scenePhase = ScenePhase.active
  private var objects: [ObjectIdentifier: any ObservableObject] = [:]

  init() {}

  func object<ObjectType: ObservableObject>(of type: ObjectType.Type) -> ObjectType? {
    objects[ObjectIdentifier(type)] as? ObjectType
  }

  mutating func insert<ObjectType: ObservableObject>(_ object: ObjectType) {
    objects[ObjectIdentifier(ObjectType.self)] = object
  }
}
