import Basics

/// What the person at a virtual board does; each is answered by one `ControlAnswer`.
public enum ControlOrder: Equatable, Sendable {
  /// Presses or lets go of a button, by its name or by the name of its line.
  case press(part: String, isPressed: Bool)
  /// Drives a line from outside, or lets go of it.
  case drive(line: String, Drive)
  /// Asks for a line's level and who has it; answered by `line`.
  case look(line: String)
  /// Has another program take a line (a name that is not empty) or let go of it.
  case steal(line: String, consumer: String)
  /// Makes a line keep a level whatever drives it, as a short circuit does, or heals it.
  case stick(line: String, Drive)
  /// Takes the chip of the lines off the board, or puts it back.
  case plugLines(isPlugged: Bool)
  /// Asks what there is to press; answered by `parts`.
  case parts

  /// What drives a line from outside.
  public enum Drive: UInt8, CaseIterable, Sendable {
    case nothing = 0
    case low = 1
    case high = 2
  }

  private enum Tag: UInt8 {
    case press = 16
    case drive = 17
    case look = 18
    case steal = 19
    case stick = 20
    case plugLines = 21
    case parts = 22
  }

  /// Reads a message; nil when it is none.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .press:
      guard let part = reader.name(), let isPressed = reader.flag() else { return nil }
      self = .press(part: part, isPressed: isPressed)
    case .drive, .stick:
      guard let line = reader.name(), let drive = reader.u8().flatMap(Drive.init(rawValue:))
      else { return nil }
      self = tag == .drive ? .drive(line: line, drive) : .stick(line: line, drive)
    case .look:
      guard let line = reader.name() else { return nil }
      self = .look(line: line)
    case .steal:
      guard let line = reader.name(), let consumer = reader.name() else { return nil }
      self = .steal(line: line, consumer: consumer)
    case .plugLines:
      guard let isPlugged = reader.flag() else { return nil }
      self = .plugLines(isPlugged: isPlugged)
    case .parts: self = .parts
    }
    guard reader.remaining == 0 else { return nil }
  }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .press(let part, let isPressed):
      writer.u8(Tag.press.rawValue)
      writer.name(part)
      writer.flag(isPressed)
    case .drive(let line, let drive):
      writer.u8(Tag.drive.rawValue)
      writer.name(line)
      writer.u8(drive.rawValue)
    case .look(let line):
      writer.u8(Tag.look.rawValue)
      writer.name(line)
    case .steal(let line, let consumer):
      writer.u8(Tag.steal.rawValue)
      writer.name(line)
      writer.name(consumer)
    case .stick(let line, let drive):
      writer.u8(Tag.stick.rawValue)
      writer.name(line)
      writer.u8(drive.rawValue)
    case .plugLines(let isPlugged):
      writer.u8(Tag.plugLines.rawValue)
      writer.flag(isPlugged)
    case .parts: writer.u8(Tag.parts.rawValue)
    }
    return writer.bytes
  }
}
