import BinnacleBasics

/// An action of the person at a virtual board; each is answered by one `ControlAnswer`.
public enum ControlOrder: Equatable, Sendable {
  /// Presses or releases a button, by its name or by the name of its line.
  case press(part: String, isPressed: Bool)
  /// Drives a line from outside, or releases it.
  case drive(line: String, Drive)
  /// Asks for a line's level and holder; answered by `line`.
  case read(line: String)
  /// Makes another program claim a line (a name that is not empty) or release it.
  case steal(line: String, consumer: String)
  /// Makes a line keep a level whatever drives it, as a short circuit does, or heals it.
  case stick(line: String, Drive)
  /// Takes the chip of the lines off the board, or puts it back.
  case plugLines(isPlugged: Bool)
  /// Asks for the list of parts; answered by `parts`.
  case parts
  /// Does something to the chip at an address of the I2C bus.
  case chip(address: UInt8, ChipChange)
  /// Does something to the I2C bus.
  case bus(BusChange)

  /// An action on a chip.
  public enum ChipChange: Equatable, Sendable {
    /// The chip is removed from the bus and its supply, or is put back.
    case plug(Bool)
    /// The acceleration that the chip measures from now on, in millionths of g.
    case accelerate(x: Int32, y: Int32, z: Int32)
    /// An axis stands still from now on: 0, 1 or 2; nil: none does.
    case freeze(axis: UInt8?)
    /// The identity register reads this value; nil: its correct value.
    case pretend(identity: UInt8?)
    /// The chip stops making samples, or starts again.
    case kill(Bool)
  }

  /// An action on a bus.
  public enum BusChange: Equatable, Sendable {
    /// A line is held: all transfers fail.
    case stick(Bool)
    /// The next transfers fail with an error number of Linux; those to one address, nil: all.
    case fail(count: UInt16, errno: UInt16, address: UInt8?)
    /// The number of wrong bytes in a million bytes that are read.
    case glitch(perMillion: UInt32)
    /// The adapter takes only one read in a transfer, or any number.
    case refuseJoinedReads(Bool)
  }

  /// The level that drives a line from outside.
  public enum Drive: UInt8, CaseIterable, Sendable {
    case nothing = 0
    case low = 1
    case high = 2
  }

  private enum Tag: UInt8 {
    case press = 16
    case drive = 17
    case read = 18
    case steal = 19
    case stick = 20
    case plugLines = 21
    case parts = 22
    case chip = 23
    case bus = 24
  }

  /// Decodes a message; nil when it is malformed.
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
    case .read:
      guard let line = reader.name() else { return nil }
      self = .read(line: line)
    case .steal:
      guard let line = reader.name(), let consumer = reader.name() else { return nil }
      self = .steal(line: line, consumer: consumer)
    case .plugLines:
      guard let isPlugged = reader.flag() else { return nil }
      self = .plugLines(isPlugged: isPlugged)
    case .parts: self = .parts
    case .chip:
      guard let address = reader.u8(), let change = reader.chipChange() else { return nil }
      self = .chip(address: address, change)
    case .bus:
      guard let change = reader.busChange() else { return nil }
      self = .bus(change)
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
    case .read(let line):
      writer.u8(Tag.read.rawValue)
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
    case .chip(let address, let change):
      writer.u8(Tag.chip.rawValue)
      writer.u8(address)
      writer.put(change)
    case .bus(let change):
      writer.u8(Tag.bus.rawValue)
      writer.put(change)
    }
    return writer.bytes
  }
}
