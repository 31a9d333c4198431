import BinnacleBasics

/// The fields of what happens to lines, in events and effects.
extension ByteWriter {
  mutating func put(_ tag: UInt8, _ line: LineID) {
    u8(tag)
    u8(line.number)
  }
}

extension ByteReader {
  mutating func line() -> LineID? { u8().flatMap(LineID.init(number:)) }

  mutating func flag() -> Bool? {
    guard let byte = u8(), byte <= 1 else { return nil }
    return byte == 1
  }

  mutating func lineFault() -> LineFault? {
    guard let kind = u8().flatMap(LineFault.Kind.init(rawValue:)), let text = text() else {
      return nil
    }
    return LineFault(kind: kind, text: text)
  }
}
