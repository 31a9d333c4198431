/// A GPIO line by what it is for.
public enum LineID: Hashable, Codable, Sendable {
  /// The light that is lit while a program in the background gets the position.
  case indicator
  /// An input that is wired to the indicator's lamp.
  case indicatorSense
  /// The light that tells how the receiver is.
  case statusLight
  /// The receiver's pin EXTINT, low to wake it.
  case receiverWake
  /// A button, counted from 0 in the order of the profile.
  case button(UInt8)

  /// Buttons that a board can have.
  public static let buttonsMax = 32
  private static let firstButton: UInt8 = 16

  /// The number of the line in a trace.
  var number: UInt8 {
    switch self {
    case .indicator: 0
    case .indicatorSense: 1
    case .statusLight: 2
    case .receiverWake: 3
    case .button(let index): LineID.firstButton + index
    }
  }

  /// The line of a number in a trace; nil when there is none.
  init?(number: UInt8) {
    switch number {
    case 0: self = .indicator
    case 1: self = .indicatorSense
    case 2: self = .statusLight
    case 3: self = .receiverWake
    case LineID.firstButton..<LineID.firstButton + UInt8(LineID.buttonsMax):
      self = .button(number - LineID.firstButton)
    default: return nil
    }
  }
}
