import Gzip

/// Compressed bytes give the same result in one piece and in small pieces; invalid compressed data is refused.
func fuzzGzip(_ bytes: [UInt8]) {
  // The checks of a member fail for nearly every input; without its header the fuzzer would not pass them.
  let header: [UInt8] = GzipDecoder.magic + [8, 0, 0, 0, 0, 0, 0, 0xFF]
  for file in [bytes, header + bytes] {
    let whole = decompress([file])
    let pieces = decompress(file.map { [$0] })
    precondition(whole == pieces, "the pieces of a compressed file gave something else")
  }
}

private struct Decompressed: Equatable {
  var bytes: [UInt8] = []
  var isDamaged = false
  var isWhole = false
}

private func decompress(_ pieces: [[UInt8]]) -> Decompressed {
  guard var decoder = GzipDecoder() else { return Decompressed() }
  var result = Decompressed()
  for piece in pieces {
    do throws(GzipDecoder.Damage) {
      try decoder.decode(piece, into: &result.bytes)
    } catch {
      result.isDamaged = true
      return result
    }
  }
  result.isWhole = decoder.isWhole
  return result
}
