public import Board
public import VirtualWire

extension LineClaim.Bias {
  /// What a profile's `Bias` comes to.
  public init(_ bias: Profile.Button.Bias) {
    switch bias {
    case .pullUp: self = .pullUp
    case .pullDown: self = .pullDown
    case .none: self = .none
    case .asIs: self = .asIs
    }
  }
}
