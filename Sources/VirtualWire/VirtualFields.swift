package import BinnacleBasics

/// The fields that messages of every face are made of.
extension ByteWriter {
  package mutating func flag(_ value: Bool) { u8(value ? 1 : 0) }

  package mutating func name(_ text: String) { cut(text, VirtualLimits.nameSizeMax) }

  package mutating func sentence(_ text: String) { cut(text, VirtualLimits.sentenceSizeMax) }

  /// Cuts at a character: half of one would make the whole message malformed.
  private mutating func cut(_ text: String, _ sizeMax: Int) {
    var kept = text[...]
    while kept.utf8.count > sizeMax { kept.removeLast() }
    self.text(String(kept))
  }
}

extension ByteReader {
  package mutating func flag() -> Bool? {
    switch u8() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  package mutating func name() -> String? { text(sizeMax: VirtualLimits.nameSizeMax) }

  package mutating func sentence() -> String? { text(sizeMax: VirtualLimits.sentenceSizeMax) }

  private mutating func text(sizeMax: Int) -> String? {
    guard let text = text(), text.utf8.count <= sizeMax else { return nil }
    return text
  }
}
