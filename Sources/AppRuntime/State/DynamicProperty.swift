/// A property of a view, a scene or an app whose value has a place in the tree of views.
///
/// A view is a value that is made anew for each rendering. Its property refers to storage that stays.
@MainActor
protocol DynamicProperty {
  /// Connects the property with its storage before the view's body is evaluated.
  func connect(to place: ViewPlace, index: Int)
}
