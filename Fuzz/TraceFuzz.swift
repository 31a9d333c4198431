import BinnacleBasics
import LocationEngine

/// A trace is read whatever its bytes are; one whose sum is right and whose records make sense can be played again.
func fuzzTrace(_ bytes: [UInt8]) {
  _ = try? TraceFile(decoding: bytes)
  _ = try? TraceFile(decoding: sealed(Array("BNTR".utf8) + version + bytes))
  // To read a whole engine takes long, so that few inputs get so far.
  guard let count = bytes.first, count < 16 else { return }
  var writer = ByteWriter()
  writer.put(emptyTrace)
  writer.u32(UInt32(count))
  writer.counted(Array(bytes.dropFirst()))
  guard let trace = try? TraceFile(decoding: sealed(writer.bytes)) else { return }
  precondition(trace.records.count == Int(count), "a trace has another number of records")
}

private let version = [UInt8(TraceFile.version & 0xFF), UInt8(TraceFile.version >> 8)]

/// A trace of an engine that has just been made, up to the number of its records.
private let emptyTrace: [UInt8] = {
  let engine = Engine(configuration: Configuration(daemonUserID: 0), seed: 1)
  // Behind it: the number of records and their length, none of them, and the sum.
  return (try? TraceRecorder(engine: engine).save()).map { Array($0.dropLast(16)) } ?? []
}()

/// With the sum that is right: 64-bit FNV-1a.
private func sealed(_ bytes: [UInt8]) -> [UInt8] {
  var sum: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  var writer = ByteWriter()
  writer.put(bytes)
  writer.u64(sum)
  return writer.bytes
}
