import Basics
import UBX

/// The parsers that bytes are thrown at; each throws its bytes at one of them and must not trap.
enum FuzzTarget: String, CaseIterable {
  case ubxStream
  case wire

  func run(_ bytes: [UInt8]) {
    switch self {
    case .ubxStream: fuzzStream(bytes)
    case .wire: fuzzWire(bytes)
    }
  }
}

/// A receiver's bytes in one piece and in small pieces give the same findings.
private func fuzzStream(_ bytes: [UInt8]) {
  for publication in [StreamDecoder.Publication.whenPositioned, .whenEnded] {
    var whole = StreamDecoder(publication: publication)
    var pieces = StreamDecoder(publication: publication)
    var expected: [Reception] = []
    var found: [Reception] = []
    whole.append(bytes)
    while let reception = whole.next() { expected.append(reception) }
    for start in stride(from: 0, to: bytes.count, by: 7) {
      pieces.append(Array(bytes[start..<min(start + 7, bytes.count)]))
      while let reception = pieces.next() { found.append(reception) }
    }
    precondition(found == expected, "the pieces of a stream told another story than the whole")
  }
}
