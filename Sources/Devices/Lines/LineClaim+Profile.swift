public import Board
public import VirtualWire

extension LineClaim.Bias {
  /// The line setting for a profile's `Bias`.
  public init(_ bias: Profile.Button.Bias) {
    switch bias {
    case .pullUp: self = .pullUp
    case .pullDown: self = .pullDown
    case .none: self = .none
    case .asIs: self = .asIs
    }
  }
}
