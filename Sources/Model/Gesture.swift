/// A gesture on a button.
public enum Gesture: UInt8, CaseIterable, Codable, Sendable {
  case short = 0
  case long = 1
  case double = 2
}

extension ButtonActions {
  /// The action of a gesture.
  public subscript(gesture: Gesture) -> ButtonAction {
    switch gesture {
    case .short: short
    case .long: long
    case .double: double
    }
  }
}
