/// Keys with a meaning of their own.
enum Key {
  static let controlC: UInt8 = 3
  static let controlD: UInt8 = 4
  static let backspace: UInt8 = 8
  static let lineFeed: UInt8 = 10
  static let controlL: UInt8 = 12
  static let carriageReturn: UInt8 = 13
  static let controlU: UInt8 = 21
  static let controlZ: UInt8 = 26
  static let escape: UInt8 = 27
  static let delete: UInt8 = 127
}
