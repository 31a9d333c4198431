import Accelerometers
import BinnacleBasics

/// The bytes of what an accelerometer says: a tag, then its fields in order. A sample takes six bytes.
extension AccelerometerNews {
  private enum Tag: UInt8 {
    case found = 1
    case samples = 2
    case moved = 3
    case fault = 4
  }

  func encode(into writer: inout ByteWriter) {
    switch self {
    case .found(let description):
      writer.u8(Tag.found.rawValue)
      writer.text(description.model)
      writer.u8(description.address)
      writer.u8(description.reading.rawValue)
      writer.f64(description.rateHz)
      writer.u8(UInt8(clamping: description.rangeG))
      writer.f64(description.noiseG)
      writer.text(description.selfTest)
    case .samples(let batch):
      writer.u8(Tag.samples.rawValue)
      writer.i64(batch.first.nanoseconds)
      writer.i64(batch.interval.nanoseconds)
      writer.f64(batch.gPerCount)
      writer.u32(UInt32(clamping: batch.saturatedCount))
      writer.u32(UInt32(clamping: batch.lostCount))
      writer.u16(UInt16(batch.count))
      for count in batch.counts { writer.i16(count) }
    case .moved(let instant):
      writer.u8(Tag.moved.rawValue)
      writer.i64(instant.nanoseconds)
    case .fault(let fault):
      writer.u8(Tag.fault.rawValue)
      writer.u8(fault.kind.rawValue)
      writer.text(fault.description)
    }
  }

  init?(from reader: inout ByteReader) {
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .found:
      guard let model = reader.text(), let address = reader.u8(),
        let reading = reader.u8().flatMap(AccelerometerDescription.Reading.init(rawValue:)),
        let rate = reader.f64(), let range = reader.u8(), let noise = reader.f64(),
        let selfTest = reader.text()
      else { return nil }
      self = .found(
        AccelerometerDescription(
          model: model, address: address, reading: reading, rateHz: rate, rangeG: Int(range),
          noiseG: noise, selfTest: selfTest))
    case .samples:
      guard let batch = reader.batch() else { return nil }
      self = .samples(batch)
    case .moved:
      guard let nanoseconds = reader.i64() else { return nil }
      self = .moved(Instant(nanoseconds: nanoseconds))
    case .fault:
      guard let kind = reader.u8().flatMap(AccelerometerFault.Kind.init(rawValue:)),
        let text = reader.text()
      else { return nil }
      self = .fault(AccelerometerFault(kind, text))
    }
  }
}

extension ByteReader {
  fileprivate mutating func batch() -> AccelerationBatch? {
    guard let first = i64(), let interval = i64(), let scale = f64(), let saturated = u32(),
      let lost = u32(), let count = u16(), Int(count) <= AccelerationBatch.samplesMax
    else { return nil }
    var counts: [Int16] = []
    for _ in 0..<Int(count) * 3 {
      guard let axis = i16() else { return nil }
      counts.append(axis)
    }
    return AccelerationBatch(
      first: Instant(nanoseconds: first), interval: Interval(nanoseconds: interval),
      gPerCount: scale, counts: counts, saturatedCount: Int(saturated), lostCount: Int(lost))
  }
}
