import BinnacleBasics
import UBX

/// A receiver's bytes give the same results in one piece and in small pieces, and no byte is lost.
func fuzzStream(_ bytes: [UInt8]) {
  for publication in [StreamDecoder.Publication.whenPositioned, .whenEnded] {
    var whole = StreamDecoder(publication: publication)
    whole.isSkyWanted = true
    var expected: [Reception] = []
    whole.append(bytes)
    whole.finish()
    while let reception = whole.next() { expected.append(reception) }
    precondition(
      whole.frameBytes + whole.damage.discardedBytes == bytes.count, "bytes got lost")

    var pieces = StreamDecoder(publication: publication)
    pieces.isSkyWanted = true
    var found: [Reception] = []
    var start = 0
    while start < bytes.count {
      // The bytes themselves determine the size of the pieces.
      let end = min(bytes.count, start + 1 + Int(bytes[start] & 31))
      pieces.append(Array(bytes[start..<end]))
      while let reception = pieces.next() { found.append(reception) }
      start = end
    }
    pieces.finish()
    while let reception = pieces.next() { found.append(reception) }
    precondition(found == expected, "the pieces of a stream told another story than the whole")
    precondition(pieces == whole, "the pieces of a stream left something else behind")
  }
}

/// Frames with right checksums, damaged frames and abandoned frames; the input determines their order.
func fuzzFrames(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes)
  var decoder = StreamDecoder(publication: .whenPositioned)
  var fed = 0
  while let kind = reader.u8(), let size = reader.u8() {
    let body = reader.take(min(Int(size), reader.remaining)) ?? []
    var piece: [UInt8] = body
    switch kind & 7 {
    case 0, 1, 2:
      let payload = Array(body.dropFirst(2))
      piece = UBXFrame.encode(
        messageClass: kind & 7 == 0 ? 1 : body.first ?? 1, id: body.dropFirst().first ?? 7,
        payload: payload)
      if kind & 0x80 != 0 { piece.removeLast() }
    case 3, 4, 5:
      piece = NMEASentence(text: "GN" + String(decoding: body, as: UTF8.self)).frame
      if kind & 0x80 != 0 { piece.removeFirst() }
    case 6: decoder.abandonPartialFrame()
    case _: break
    }
    decoder.append(piece)
    fed += piece.count
    while decoder.next() != nil {}
    precondition(decoder.frameBytes + decoder.damage.discardedBytes <= fed, "bytes counted twice")
    precondition(decoder.bytesAwaited >= 0, "a frame lacks less than nothing")
  }
  decoder.finish()
  while decoder.next() != nil {}
  precondition(decoder.frameBytes + decoder.damage.discardedBytes == fed, "bytes got lost")
}

/// A payload of any message: after reading, its encoding has the same length and decodes to the same message.
func fuzzMessages(_ bytes: [UInt8]) {
  guard bytes.count >= 2 else { return }
  let message = Message(messageClass: bytes[0], id: bytes[1], payload: Array(bytes[2...]))
  // Text that is not UTF-8 does not survive the encoding, so text has no frame here.
  let poll: [UInt8]? = if case .poll(let poll) = message { poll.frame } else { nil }
  guard let frame = poll ?? message.typed?.frame else { return }
  var decoder = StreamDecoder(publication: .whenEnded)
  decoder.append(frame)
  let again = decoder.next()
  precondition(again == .message(message), "a message was written as another one")
}
