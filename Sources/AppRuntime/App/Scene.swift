/// A part of an app that shows views.
@MainActor
public protocol Scene {
  /// The type of the body.
  associatedtype Body: Scene
  /// The scene that this scene consists of.
  @SceneBuilder var body: Body { get }
}

/// A scene that makes its lines itself.
@MainActor
protocol DrawnScene {
  func draw(at place: ViewPlace) -> [String]
}

extension Scene where Body == Never {
  /// Not usable: a scene of this module has no body.
  public var body: Never {
    preconditionFailure("\(Self.self) has no body")
  }
}

extension Scene {
  /// Carries out an action with the old and the new value when a value has changed.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - initial: whether the action is also carried out at the start.
  ///   - action: the action, with the old and the new value.
  /// - Returns: the scene that watches the value.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false,
    _ action: @escaping @MainActor (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> some Scene {
    ChangeScene(
      watch: ChangeWatch(value: value, isInitial: initial, action: action), content: self)
  }

  /// Carries out an action when a value has changed.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
  ) -> some Scene {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  /// Carries out an action with the new value when a value has changed.
  public func onChange<Value: Equatable>(
    of value: Value, perform action: @escaping @MainActor (_ newValue: Value) -> Void
  ) -> some Scene {
    onChange(of: value) { _, new in action(new) }
  }
}

/// A scene that watches a value.
struct ChangeScene<Value: Equatable, Content: Scene>: Scene, DrawnScene {
  typealias Body = Never

  let watch: ChangeWatch<Value>
  let content: Content

  func draw(at place: ViewPlace) -> [String] {
    watch.check(place)
    return place.draw(scene: content)
  }
}
