import BinnacleBasics
import LocationEngine

/// A trace of any bytes is read, also with a right checksum.
func fuzzTrace(_ bytes: [UInt8]) {
  _ = try? TraceFile(decoding: bytes)
  var writer = ByteWriter()
  writer.put(head)
  writer.counted(bytes)
  _ = try? TraceFile(decoding: sealed(writer.bytes))
  // Reading a whole engine takes long, so only short inputs change the real trace.
  guard bytes.count > 2, bytes.count < 32 else { return }
  let place = Int(bytes[0]) << 8 | Int(bytes[1])
  var changed = realTrace
  for (index, byte) in bytes.dropFirst(2).enumerated() {
    changed[head.count + (place + index) % (changed.count - head.count)] = byte
  }
  _ = try? TraceFile(decoding: sealed(changed))
}

private let head: [UInt8] =
  Array("BNTR".utf8) + [UInt8(TraceFile.version & 0xFF), UInt8(TraceFile.version >> 8)]

/// A trace of an engine that has just started, without its checksum.
private let realTrace: [UInt8] = {
  var engine = Engine(configuration: Configuration(), seed: 1)
  var recorder = TraceRecorder(engine: engine)
  var effects: [Effect] = []
  engine.handle(.started, at: .zero, into: &effects)
  recorder.record(.started, at: .zero, effects: effects)
  return (try? recorder.save()).map { Array($0.dropLast(8)) } ?? head
}()

/// Appends the right checksum: 64-bit FNV-1a.
private func sealed(_ bytes: [UInt8]) -> [UInt8] {
  var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  var writer = ByteWriter()
  writer.put(bytes)
  writer.u64(sum)
  return writer.bytes
}
