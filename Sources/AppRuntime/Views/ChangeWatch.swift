/// A value that is compared with its value at the last rendering.
@MainActor
struct ChangeWatch<Value: Equatable> {
  let value: Value
  let isInitial: Bool
  let action: @MainActor (Value, Value) -> Void

  /// The value at the last rendering.
  private final class Last {
    var value: Value?
  }

  /// Compares, and carries the action out after the rendering if the value has changed.
  func check(_ place: ViewPlace) {
    let last = place.stored(0) { Last() }
    let (old, new, action) = (last.value, value, action)
    last.value = new
    if let old {
      if old != new { place.afterwards { action(old, new) } }
    } else if isInitial {
      place.afterwards { action(new, new) }
    }
  }
}
