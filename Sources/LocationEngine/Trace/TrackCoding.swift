import BinnacleBasics
import StateLog

/// The bytes of orders for the log of tracks: a tag, then the fields in order.
extension TrackOrder {
  private enum Tag: UInt8 {
    case open = 1
    case commit = 2
    case erase = 3
  }

  func encode(into writer: inout ByteWriter) {
    switch self {
    case .open: writer.u8(Tag.open.rawValue)
    case .commit(let number, let changes):
      writer.u8(Tag.commit.rawValue)
      writer.u32(number)
      writer.put(changes)
    case .erase(let number):
      writer.u8(Tag.erase.rawValue)
      writer.u32(number)
    }
  }

  init?(from reader: inout ByteReader) {
    switch reader.u8().flatMap(Tag.init(rawValue:)) {
    case .open: self = .open
    case .commit:
      guard let number = reader.u32(), let changes = reader.changes() else { return nil }
      self = .commit(number: number, changes)
    case .erase:
      guard let number = reader.u32() else { return nil }
      self = .erase(number: number)
    case nil: return nil
    }
  }
}

/// The bytes of what came of them.
extension TrackNews {
  private enum Tag: UInt8 {
    case opened = 1
    case committed = 2
    case commitFailed = 3
    case erased = 4
    case notErased = 5
  }

  func encode(into writer: inout ByteWriter) {
    switch self {
    case .opened(let reading):
      writer.u8(Tag.opened.rawValue)
      writer.put(reading)
    case .committed(let number, let receipt):
      writer.u8(Tag.committed.rawValue)
      writer.u32(number)
      writer.put(receipt)
    case .commitFailed(let number, let failure):
      writer.u8(Tag.commitFailed.rawValue)
      writer.u32(number)
      writer.put(failure)
    case .erased(let number, let failure):
      writer.u8((failure == nil ? Tag.erased : .notErased).rawValue)
      writer.u32(number)
      if let failure { writer.put(failure) }
    }
  }

  init?(from reader: inout ByteReader) {
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    if tag == .opened {
      guard let reading = reader.trackReading() else { return nil }
      self = .opened(reading)
      return
    }
    guard let number = reader.u32() else { return nil }
    switch tag {
    case .opened: return nil
    case .committed:
      guard let receipt = reader.receipt() else { return nil }
      self = .committed(number: number, receipt)
    case .commitFailed:
      guard let failure = reader.commitFailure() else { return nil }
      self = .commitFailed(number: number, failure)
    case .erased: self = .erased(number: number, nil)
    case .notErased:
      guard let failure = reader.commitFailure() else { return nil }
      self = .erased(number: number, failure)
    }
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ reading: TrackReading) {
    u32(UInt32(truncatingIfNeeded: reading.stretches.count))
    for stretch in reading.stretches {
      u32(stretch.number)
      i64(Int64(stretch.size))
      i64(stretch.lastMilliseconds)
    }
    i64(Int64(reading.sizeMax))
    put(reading.obstacle)
    put(reading.notes)
  }
}

extension ByteReader {
  fileprivate mutating func trackReading() -> TrackReading? {
    guard let count = u32(), Int(count) <= remaining else { return nil }
    var reading = TrackReading()
    for _ in 0..<count {
      guard let number = u32(), let size = speed(), let last = i64() else { return nil }
      reading.stretches.append(.init(number: number, size: size, lastMilliseconds: last))
    }
    guard let sizeMax = speed(), let obstacle = obstacle(), let notes = notes() else { return nil }
    reading.sizeMax = sizeMax
    reading.obstacle = obstacle
    reading.notes = notes
    return reading
  }
}
