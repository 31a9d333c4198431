/// A place in the tree of views, which stays between two renderings as long as the same type of view is there.
@MainActor
final class ViewPlace {
  /// The values from above for a view at this place; set anew in each rendering.
  var environment = EnvironmentValues()

  private struct Child {
    let index: Int
    let type: ObjectIdentifier
    let place: ViewPlace
  }

  private let rendering: Rendering
  private var stored: [Int: AnyObject] = [:]
  private var children: [Child] = []
  private var lastChildren: [Child] = []

  init(_ rendering: Rendering) {
    self.rendering = rendering
  }

  /// The lines of the app at this place, the first one.
  func draw<Application: App>(app: Application) -> [String] {
    children.removeAll { $0.type != ObjectIdentifier(Application.Body.self) }
    connect(propertiesOf: app)
    return draw(scene: app.body)
  }

  /// The lines of a scene below this place.
  func draw<Content: Scene>(scene: Content) -> [String] {
    let place = child(Content.self, 0)
    return place.anew {
      if let drawn = scene as? any DrawnScene { return drawn.draw(at: place) }
      place.connect(propertiesOf: scene)
      return place.draw(scene: scene.body)
    }
  }

  /// The lines of a view below this place.
  func draw<Content: View>(_ view: Content, index: Int) -> [String] {
    let place = child(Content.self, index)
    return place.anew {
      if let drawn = view as? any DrawnView { return drawn.draw(at: place) }
      place.connect(propertiesOf: view)
      return place.draw(view.body, index: 0)
    }
  }

  /// Draws; afterwards only the places of this rendering are kept.
  private func anew(_ draw: () -> [String]) -> [String] {
    (lastChildren, children) = (children, [])
    defer { lastChildren = [] }
    return draw()
  }

  /// The place below this one for a value of a type.
  private func child(_ type: Any.Type, _ index: Int) -> ViewPlace {
    let type = ObjectIdentifier(type)
    let known = (children + lastChildren).first { $0.index == index && $0.type == type }
    let child = known ?? Child(index: index, type: type, place: ViewPlace(rendering))
    if !children.contains(where: { $0.place === child.place }) { children.append(child) }
    child.place.environment = environment
    return child.place
  }

  /// Connects the properties of a view, a scene or an app with this place.
  private func connect(propertiesOf value: Any) {
    for (index, child) in Mirror(reflecting: value).children.enumerated() {
      (child.value as? any DynamicProperty)?.connect(to: self, index: index)
    }
  }

  /// The object that is kept here for a property; the first rendering makes it.
  func stored<Object: AnyObject>(_ index: Int, _ make: () -> Object) -> Object {
    if let object = stored[index] as? Object { return object }
    let object = make()
    stored[index] = object
    return object
  }

  /// Renders again when this object changes, as long as this rendering is the last one.
  func observe(_ object: AnyObject, _ publisher: ObservableObjectPublisher) {
    rendering.observe(object, publisher)
  }

  func show(_ button: ButtonPlace) { rendering.show(button) }

  func afterwards(_ action: @escaping @MainActor () -> Void) { rendering.afterwards(action) }
}
