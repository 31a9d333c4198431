import Simulation
import StateLog
import TestSupport
import Testing

/// `Docs/SPEC-state.md` says what the code does.
struct SpecTests {
  @Test func theCodeMakesTheExamples() throws {
    let geometry = try #require(LogGeometry(blockSize: 512, blocksPerSegment: 8))
    var log = try StateLog.create(
      on: SimulatedDisk(byteCount: geometry.byteCount), owner: 0x42, geometry: geometry)
    let app = try #require(RecordName(kind: 2, key: Array("a".utf8)))
    _ = try log.commit([
      Change(RecordName(kind: 5), .put([0x80, 0x25, 0, 0], isCautious: false)),
      Change(app, .put([1, 0], isCautious: true)),
    ])
    _ = try log.commit([Change(app, .remove)])
    let bytes = log.file.durableBytes
    let examples = try SpecExample.all(ofPage: "SPEC-state.md")
    #expect(examples.map(\.name) == ["begun", "changed", "removed"])
    for (index, example) in examples.enumerated() {
      let block = bytes[index * 512..<(index + 1) * 512]
      let used = block.prefix(example.bytes.count)
      #expect(example.bytes == Array(used), "\(example.name)")
      #expect(block.dropFirst(example.bytes.count).allSatisfy { $0 == 0 }, "\(example.name)")
      #expect(example.offsets == example.offsetsSaid, "\(example.name)")
    }
  }

  @Test func theExamplesAreUnderstood() throws {
    var bytes: [UInt8] = []
    for example in try SpecExample.all(ofPage: "SPEC-state.md") {
      bytes += example.bytes + [UInt8](repeating: 0, count: 512 - example.bytes.count)
    }
    let geometry = try #require(LogGeometry(blockSize: 512, blocksPerSegment: 8))
    bytes += [UInt8](repeating: 0, count: geometry.byteCount - bytes.count)
    var disk = SimulatedDisk(holding: bytes)
    let found = Recovery(of: &disk, owner: 0x42, expecting: geometry)
    #expect(found.verdict == .sound)
    #expect(found.records.entries.count == 1)
    #expect(found.records[RecordName(kind: 5)] == [0x80, 0x25, 0, 0])
  }
}
