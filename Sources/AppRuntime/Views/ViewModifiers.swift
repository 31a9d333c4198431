extension View {
  /// Gives an object to all views below, for their properties with ``EnvironmentObject``.
  public func environmentObject(_ object: some ObservableObject) -> some View {
    EnvironmentObjectView(object: object, content: self)
  }

  /// Carries out an action with the old and the new value when a value has changed between two renderings.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - initial: whether the action is also carried out for the first rendering.
  ///   - action: the action, with the old and the new value.
  /// - Returns: the view that watches the value.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false,
    _ action: @escaping @MainActor (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> some View {
    ChangeView(watch: ChangeWatch(value: value, isInitial: initial, action: action), content: self)
  }

  /// Carries out an action when a value has changed between two renderings.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  /// Carries out an action with the new value when a value has changed between two renderings.
  public func onChange<Value: Equatable>(
    of value: Value, perform action: @escaping @MainActor (_ newValue: Value) -> Void
  ) -> some View {
    onChange(of: value) { _, new in action(new) }
  }
}

/// A view whose views below get an object.
struct EnvironmentObjectView<ObjectType: ObservableObject, Content: View>: View, DrawnView {
  typealias Body = Never

  let object: ObjectType
  let content: Content

  func draw(at place: ViewPlace) -> [String] {
    place.environment.insert(object)
    return place.draw(content, index: 0)
  }
}

/// A view that watches a value.
struct ChangeView<Value: Equatable, Content: View>: View, DrawnView {
  typealias Body = Never

  let watch: ChangeWatch<Value>
  let content: Content

  func draw(at place: ViewPlace) -> [String] {
    watch.check(place)
    return place.draw(content, index: 0)
  }
}
